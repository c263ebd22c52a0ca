"""Names of Treaties, Wars and Casus Belli, and questions and answers as sentences."""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.events import events
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.diplomacy import SETTLEMENT, TREATY, CasusBelli, Clause, Treaty
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.state.war import GREAT, OTTOMAN, REBELLION, War
from paxtui.games.pax.text.display import (
    add_articles,
    join_with_and,
    join_with_or,
    marker_with_article,
    place_name,
    power_name,
    reword,
    sentence,
    the_power,
    the_powers,
    the_proposal,
    treaty_of_city,
)
from paxtui.games.pax.text.parsing import HOME_WORD

_WARS = {GREAT: "the Great War", OTTOMAN: "the Ottoman War", REBELLION: "the Chinese Rebellion"}
"""Names of special kinds of War."""


class NameRegistry:
    """Names of Treaties, choices, Casus Belli and Wars. `paxtui.games.pax.events.names.Names` describes its methods.

    Attributes:
        tables: the tables of the game.
        treaties, choices, causes, wars: by id, in their last known complete state.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.treaties: dict[str, Treaty] = {}
        self.choices: dict[str, Pending] = {}
        self.causes: dict[str, CasusBelli] = {}
        self.wars: dict[str, War] = {}

    def learn(self, event: events.Event) -> None:
        if isinstance(event, events.ChoiceOffered):
            self.choices[event.choice.id] = event.choice
        elif isinstance(event, events.TreatyDrafted | events.TreatyRevealed):
            self.treaties[event.treaty.id] = event.treaty
        elif isinstance(event, events.CasusBelliArose):
            parties = (event.holder, event.against, event.area)
            self.causes[event.id] = CasusBelli(event.id, *parties, cause=event.cause, minor=event.minor)
        elif isinstance(event, events.PositionSet):
            self.learn_all(event.state.treaties, event.state.choices, event.state.casus_belli, event.state.wars)
        elif isinstance(event, events.WarDeclared | events.WarArose | events.WarsMerged):
            self.wars[event.war.id] = event.war

    def learn_all(
        self,
        treaties: Iterable[Treaty],
        choices: Iterable[Pending],
        causes: Iterable[CasusBelli],
        wars: Iterable[War] = (),
    ) -> None:
        self.treaties |= {treaty.id: treaty for treaty in treaties}
        self.choices |= {choice.id: choice for choice in choices}
        self.causes |= {cause.id: cause for cause in causes}
        self.wars |= {war.id: war for war in wars}

    def alliance(self, war: str, number: int) -> str:
        known = self.wars.get(war)
        return the_powers(self.tables, known.alliance(number)) if known is not None else f"Alliance {number}"

    def war(self, id_: str) -> str:
        known = self.wars.get(id_)
        if known is None:
            return f"War {id_}"
        if known.kind in _WARS:
            return _WARS[known.kind]
        sides = " against ".join(the_powers(self.tables, side) for side in known.alliances if side)
        return f"the War of {sides}"

    def treaty(self, id_: str) -> str:
        treaty = self.treaties.get(id_)
        return treaty_title(self.tables, treaty) if treaty is not None else "an agreement"

    def title(self, treaty: Treaty) -> str:
        return treaty_title(self.tables, treaty)

    def articles(self, treaty: Treaty) -> str:
        return articles_text(self.tables, treaty)

    def clause(self, clause: Clause) -> str:
        return describe_clause(self.tables, clause)

    def question(self, choice: Pending) -> str:
        return question_summary(self.tables, choice)

    def answer(self, choice: Pending, answer: tuple[str, ...]) -> str:
        return describe_answer(self.tables, choice, answer)

    def cause(self, id_: str) -> str:
        cause = self.causes.get(id_)
        if cause is None:
            return "a Casus Belli"
        where = f" over {place_name(self.tables, cause.area)}" if cause.area else ""
        holder = the_power(self.tables, cause.holder)
        return f"the Casus Belli of {holder} against {the_power(self.tables, cause.against)}{where}"


def treaty_title(tables: Tables, treaty: Treaty) -> str:
    """Name an agreement: `the Treaty of London`, `the settlement 'Nile'`."""
    what = {TREATY: "the Treaty", SETTLEMENT: "the settlement"}.get(treaty.form, "the proposal")
    if not treaty.name:
        return what
    called = treaty_of_city(tables, treaty.name) if treaty.form == TREATY else ""
    return called or f"{what} '{treaty.name}'"


def articles_text(tables: Tables, treaty: Treaty) -> str:
    """Format an agreement with numbered clauses."""
    if len(treaty.clauses) == 1:
        return describe_clause(tables, treaty.clauses[0]) + "."
    return " ".join(f"({n}) {describe_clause(tables, c)}." for n, c in enumerate(treaty.clauses, 1)) or "no articles."


_OPTION_TEXTS: dict[str, dict[str, str]] = {
    "fight": {"fight": "attack", "decline": "do not attack", "wait": "wait for the others"},
    "combine": {
        "combine": "attack together with the partners", "alone": "attack alone", "decline": "do not attack",
    },
    "duty": {"keep": "keep the Treaty", "break": "break the Treaty"},
    "attend": {"attend": "attend", "away": "stay away"},
    "invite": {"nobody": "invite nobody"},
    "propose": {"pass": "propose nothing"},
    "tie": {"yes": "yes, adopt it", "no": "no, reject it"},
    "sign": {"sign": "sign", "refuse": "refuse to sign"},
    "join_attack": {"attack": "join with all Units there", "stand": "stand aside"},
    "waiver": {"end": "end the War", "go": "continue the War"},
    "call": {"refuse": "refuse, and break the Treaty"},
    "codominion_war": {"pass": "do not declare War"},
    "invitation": {"stay": "stay out"},
    "announce": {
        "go": "continue", "announce": "announce the end", "agree": "agree to the end",
        "object": "object and continue",
    },
    "cession": {"none": "demand nothing"},
    "cessions": {"sign": "sign the list", "reject": "reject the list: nothing is ceded"},
}  # fmt: skip
"""Texts of answers that are notation keywords, by the kind of question."""


def _end_test(choice: Pending, about: questions.EndWaiver) -> str:
    """Return the sentence that says which alliances meet an end test of their war."""
    names = choice.prompt.partition(":")[0]
    if "; " in names:
        return f"These alliances have no Unit abroad, or no Area without enemy Armies: {names}."
    if about.test == "no_units":
        return f"No Unit of {names} is outside its Home Country."
    return f"Enemy Armies hold each Area of {names}."


def describe_question(tables: Tables, choice: Pending) -> str:
    """Describe a question in full sentences, with names instead of ids."""
    about, place = choice.about, place_name(tables, choice.area) if choice.area else ""
    if isinstance(about, questions.Invite):
        guests = tuple(o for o in choice.options if isinstance(o, str) and o in tables.powers)
        return (
            "Which overseas Powers do you invite to the Congress: "
            f"{join_with_or([the_power(tables, g) for g in guests])}? A Power can come only if all "
            "European Great Powers invite it."
        )
    if isinstance(about, questions.Propose):
        return "Do you propose a Treaty to the Congress? If no seat makes a new proposal, the Congress votes."
    if isinstance(about, questions.Ballot):
        text = "do you vote yes, no or abstain? If it is adopted, do you sign it?"
        return sentence(f"{_paper(tables, choice)}: {text}")
    if isinstance(about, questions.Tie):
        text = "the vote is a tie, and you preside. Is it adopted?"
        return sentence(f"{_paper(tables, choice)}: {text}")
    if isinstance(about, questions.FightOrDecline):
        return sentence(choice.prompt or f"Attack {place}?")
    if isinstance(about, questions.MoneyOffer):
        return f"{sentence(the_power(tables, about.giver) + f' offers you £{about.amount}')} Do you take it?"
    if isinstance(about, questions.MarkerOffer):
        marker = tables.markers[about.marker].name
        return f"{sentence(the_power(tables, about.giver) + f' offers you its {marker} in {place}')} Do you take it?"
    if isinstance(about, questions.JointOffer | questions.Duty):
        return f"{sentence(_reword(choice))} Do you {'keep it' if isinstance(about, questions.Duty) else 'agree'}?"
    if isinstance(about, questions.Spoils):
        return f"Spoils of War: what does your side place in {place}? It costs nothing."
    if isinstance(about, questions.Cession):
        return "Which defeated Area do you demand from China, and with which marker? It costs nothing."
    if isinstance(about, questions.EndWaiver) and ":" in choice.prompt:
        return (
            f"{_end_test(choice, about)} End the War or continue it? In the first 2 cycles one `go on` is "
            "enough to continue."
        )
    return sentence(_reword(choice) or choice.kind.replace("_", " "))


def _reword(choice: Pending) -> str:
    return add_articles(reword(choice.prompt, _PROMPT_WORDING.get(choice.kind, ())))


_LOSSES_WORDING = (
    (r"^Which (\w+) of at least (\d+) strength points are lost in (.*?)(?:, none too many)?\?",
     r"Which \1 do you lose in \3? Choose at least \2 strength points and no more Units than necessary."),
    (r"\bat least 1 strength points", "at least 1 strength point"),
    (r"The (partners|allies) have to name the same \w+, or all of theirs are lost\.",
     r"All \1 must choose the same Units; otherwise they lose all."),
)  # fmt: skip

_PROMPT_WORDING: dict[str, tuple[tuple[str, str], ...]] = {
    "call": ((r" calls (.*) to the side of (.*): declare War on (.*), or refuse and break it\?$",
              r" calls \1 to help \2. Declare War on \3, or refuse and break the Treaty?"),),
    "codominion_war": ((r" You may declare War at once, and never again over this Area\.$",
                        " You can declare War now, but not later over this Area."),),
    "combine": ((r"^(.*) rises: ", r"Unrest in \1: "), (r"(together with .+), (.+), alone,", r"\1 and \2, alone,")),
    "command": ((r"Which neutral shall command it\? All have to name the same, or the engine does\.",
                 "Which neutral Power commands it? All seats must name the same one; otherwise the engine does."),
                (r"Named so far, and by all: (.*)\.$", r"All answers so far: \1."),),
    "cessions": ((r"All have to sign, or nothing is ceded\.$", "All must sign; otherwise China cedes nothing."),),
    "defiance": ((r"^The Congress has not settled everything: does (.*) declare War\? .*$",
                  r"The Congress has not settled all disputes. Does \1 declare War? If not, its marker may go."),),
    "deficit": ((r"; of the Armies \(10\) near India (\d+) at most\.$",
                 r". At most \1 of the Armies (10) near India can be part of it."),),
    "duty": ((r"\. As things stand it cannot be kept, and then it is broken: ",
              ". It cannot be kept now, so the Treaty would be broken: "),),
    "losses": _LOSSES_WORDING,
    "retreat": ((r", all together or each by itself\?$", "? Name one place for all, or one for each."),
                (r", each by itself\?$", "? Name a place for each.")),
    "return": ((r" has to leave ", " must leave "),),
    "sign": ((r"\. ([^.:]*): sign or refuse; you are no party to what it settles, and refusing costs nothing$",
              r". Does \1 sign or refuse? It is not a party to the settled disputes, so a refusal costs nothing"),
             (r"\. ([^.:]*): sign or refuse$", r". Does \1 sign or refuse?")),
    "site": ((r"^You defend a Minor Power, so a Congress of Europe meets: where\?$",
              "You defend a Minor Power, so a Congress of Europe meets. In which country?"),
             (r" is a party by now: where", " is now a party. Where")),
    "uncalled": ((r" Whom a hidden one calls is asked now, unseen, and so everybody is\.$",
                  " All seats are asked at this point, so that secret Treaties stay hidden."),),
}  # fmt: skip
"""Wordings of prompts, by the kind of question, for `reword`."""


def _paper(tables: Tables, choice: Pending) -> str:
    """The subject of a question of the Congress, inside a sentence: `the Treaty of London`, `the Act of Tunis`.

    The prompt contains its name; older logs write `The Potsdam`.
    """
    name = choice.prompt.partition(":")[0].removeprefix("Your ballot on ").removeprefix("A tie over ")
    bare = name[:1].lower() + name[1:]
    return the_proposal(tables, bare.removeprefix("the ")) if bare else "the proposal"


def describe_option(tables: Tables, choice: Pending, text: str) -> str:
    """Describe an option of a choice, with names instead of ids."""
    words = text.split()
    own = _OPTION_TEXTS.get(choice.kind, {}).get(words[0] if words else "")
    if own:
        return own
    if words[:2] == ["declare", "war"]:
        order, _, over = text.partition(" over ")
        order, _, ally = order.partition(" beside ")
        on = the_powers(tables, order.split()[2:])
        more = (f" over Casus Belli {over}" if over else "") + (f" beside {the_power(tables, ally)}" if ally else "")
        return f"declare War on {on}{more}"
    if isinstance(choice.about, questions.Return | questions.Retreat) and words[:1] == [HOME_WORD] != words:
        return f"home, box of the {place_name(tables, words[1])}"
    if isinstance(choice.about, questions.Retreat) and text == HOME_WORD:
        return f"home to {the_power(tables, choice.power)}"
    if isinstance(choice.about, questions.Spoils | questions.Cession):
        return _marker(tables, choice, text)
    if isinstance(choice.about, questions.WarRetreat) and " > " in text:
        name, place = words[0], text.split(" > ")[1]
        return f"{name} to {power_name(tables, place) if place in tables.powers else place_name(tables, place)}"
    return " ".join(_display_word(tables, word) for word in words) or "nothing"


def _marker(tables: Tables, choice: Pending, text: str) -> str:
    """Describe a marker demanded after a War.

    Texts: `place possession tunis` and `codominion protectorate of italy france tunis`, both with an optional Power in
    front; `leave tunis`.
    """
    power, _, rest = text.rpartition(": ")
    words = rest.split()
    if words[0] == "leave":
        return f"leave {place_name(tables, words[-1])} to the other victors"
    if words[0] == "place" and words[1] in tables.markers:
        who = f" for {the_power(tables, power)}" if power else ""
        return f"{marker_with_article(tables, words[1])} in {place_name(tables, words[2])}{who}"
    if words[0] == "codominion" and words[1] in tables.markers:
        names = the_powers(tables, words[3:-1])
        return (
            f"a Codominion of {names} in {place_name(tables, words[-1])}, {marker_with_article(tables, words[1])} each"
        )
    return " ".join(_display_word(tables, word) for word in words)


def _display_word(tables: Tables, word: str) -> str:
    """Replace a place or Power in an answer by its name; leave other words."""
    if word in tables.powers:
        return power_name(tables, word)
    known = word in tables.areas or word in tables.sea_zones or word in tables.capes or word.startswith("home:")
    if known:
        return place_name(tables, word)
    return word if word.isupper() or not word.isidentifier() else word.replace("_", " ")


def question_summary(tables: Tables, choice: Pending) -> str:
    """Summarize a choice in a few words, to follow the asked Power: `whether to attack Bengal`."""
    about, place = choice.about, place_name(tables, choice.area) if choice.area else ""
    if isinstance(about, questions.Ballot):
        return f"its vote on {_paper(tables, choice)}"
    if isinstance(about, questions.Invite):
        guests = tuple(o for o in choice.options if isinstance(o, str) and o in tables.powers)
        return f"whether to invite {join_with_or([the_power(tables, g) for g in guests])}"
    if isinstance(about, questions.MoneyOffer):
        return f"whether to take £{about.amount} from {the_power(tables, about.giver)}"
    summaries = {
        "deficit": "how to meet its deficit",
        "coast": f"on which coast of {place} its fleet lies",
        "fight": f"whether to attack {place}",
        "combine": f"whether to attack {place} together with its partners",
        "losses": f"which armies are lost in {place}",
        "join_attack": f"whether to join the attack in {place}",
        "codominion_war": f"whether to declare War over the entry into {place}",
        "waiver": "whether the War ends",
        "announce": "whether the Rebellion is over",
        "cession": "which Area it demands from China",
        "cessions": "whether to sign what China cedes",
        "return": f"where a unit in {place} goes" if place else "to which box a fleet comes home",
        "spoils": f"what the victors place in {place}",
        "retreat": f"where its units in {place} retreat to",
        "transfer": f"whether to take a marker in {place}",
        "codominion": f"whether to share {place}",
        "canal": f"whether to build a canal in {place}",
        "duty": "whether to keep a Treaty",
        "site": "where the Congress meets",
        "attend": "whether to attend the Congress",
        "agenda": "which dispute comes first",
        "propose": "whether to propose a Treaty",
        "tie": "how to break the tie",
        "sign": "whether to sign",
        "defiance": "whether to declare War after the Congress",
        "call": "whether to follow a Treaty into War",
        "uncalled": "whether to follow a Treaty into War",
        "invitation": "whether to join the War against the Ottoman Empire",
        "command": "which Power commands the Minor Power",
    }
    return summaries.get(choice.kind, choice.kind.replace("_", " "))


def describe_answer(tables: Tables, choice: Pending, answer: tuple[str, ...]) -> str:
    if not answer:
        return "nothing"
    return join_with_and([describe_option(tables, choice, text) for text in answer])
