"""Every kind of to_france as a sentence and as a summary, with the text of each answer."""

from __future__ import annotations

import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import describe_answer, describe_option, describe_question, question_summary
from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.state import questions
from paxtui.games.pax.state.questions import AnyQuestion, Pending
from tests.rules.harness import tables


def to_france(about: AnyQuestion, options: tuple[str, ...], area: str = "", prompt: str = "") -> Pending:
    """A to_france to France."""
    return Pending("c1", "france", "france", about, options, options[-1], area, prompt)


QUESTIONS: list[tuple[Pending, str, str, list[str]]] = [
    (
        to_france(questions.Deficit(), ("A1 tunis", "lower tunis")),
        "Deficit.",
        "how to meet its deficit",
        ["A1 Tunis", "lower Tunis"],
    ),
    (
        to_france(questions.Coast("N1"), ("red_sea", "mediterranean"), "egypt", "Which coast?"),
        "Which coast?",
        "on which coast of Egypt its fleet lies",
        ["red sea", "Mediterranean Sea"],
    ),
    (
        to_france(questions.FightOrDecline(), ("fight bengal", "decline", "wait"), "bengal"),
        "Attack Bengal?",
        "whether to attack Bengal",
        ["attack", "do not attack", "wait for the others"],
    ),
    (
        to_france(questions.FightOrDecline(), ("fight bengal",), "bengal", "Attack Bengal, 10 against 5?"),
        "Attack Bengal, 10 against 5?",
        "whether to attack Bengal",
        ["attack"],
    ),
    (
        to_france(questions.Combine(), ("combine", "alone", "decline"), "kenya", "Attack the revolt in Kenya?"),
        "Attack the revolt in Kenya?",
        "whether to attack Kenya together with its partners",
        ["attack together with the partners", "attack alone", "do not attack"],
    ),
    (
        to_france(questions.Losses(), ("A1", "A3"), "kenya", "Which armies?"),
        "Which armies?",
        "which armies are lost in Kenya",
        ["A1", "A3"],
    ),
    (
        to_france(questions.Retreat("army", ("A1",)), ("home:france", "federated_malay_states"), "siam", "Where to?"),
        "Where to?",
        "where its units in Siam retreat to",
        ["France", "Federated Malay States"],
    ),
    (
        to_france(questions.MoneyOffer("united_states", "france", 5), ("accept", "decline")),
        "The United States offers you £5. Do you take it?",
        "whether to take £5 from the United States",
        ["accept", "decline"],
    ),
    (
        to_france(questions.MarkerOffer("italy", "france", "siam", "interest"), ("accept", "decline"), "siam"),
        "Italy offers you its Interest in Siam. Do you take it?",
        "whether to take a marker in Siam",
        ["accept", "decline"],
    ),
    (
        to_france(
            questions.ShareOffer("siam", ("france", "italy"), "p1", "italy"),
            ("accept", "decline"),
            "siam",
            "Italy proposes a Codominion in Siam",
        ),
        "Italy proposes a Codominion in Siam. Do you agree?",
        "whether to share Siam",
        ["accept", "decline"],
    ),
    (
        to_france(
            questions.CanalOffer("panama", ("france", "italy"), "p1", "italy"),
            ("accept", "decline"),
            "panama",
            "Italy proposes a canal",
        ),
        "Italy proposes a canal. Do you agree?",
        "whether to build a canal in Panama",
        ["accept", "decline"],
    ),
    (
        to_france(questions.Duty("t1", 0, "france", ("italy",)), ("keep", "break"), "", "France owes £5"),
        "France owes £5. Do you keep it?",
        "whether to keep a Treaty",
        ["keep the Treaty", "break the Treaty"],
    ),
    (
        to_france(questions.Site(), ("britain", "germany")),
        "Site.",
        "where the Congress meets",
        ["Great Britain", "Germany"],
    ),
    (
        to_france(questions.Attend(), ("attend", "away"), "", "Attend?"),
        "Attend?",
        "whether to attend the Congress",
        ["attend", "stay away"],
    ),
    (
        to_france(questions.Invite(), ("united_states", "japan", "nobody")),
        "Which overseas Powers do you invite to the Congress: the United States or Japan? "
        "A Power can come only if all European Great Powers invite it.",
        "whether to invite the United States or Japan",
        ["United States", "Japan", "invite nobody"],
    ),
    (
        to_france(questions.Invite(), ("japan", "nobody")),
        "Which overseas Powers do you invite to the Congress: Japan? "
        "A Power can come only if all European Great Powers invite it.",
        "whether to invite Japan",
        ["Japan", "invite nobody"],
    ),
    (
        to_france(questions.Agenda(), ("tunis", "siam"), "", "Which dispute comes first: Tunis or Siam?"),
        "Which dispute comes first: Tunis or Siam?",
        "which dispute comes first",
        ["Tunis", "Siam"],
    ),
    (
        to_france(questions.Propose(), ("pass",)),
        "Do you propose a Treaty to the Congress? If no seat makes a new proposal, the Congress votes.",
        "whether to propose a Treaty",
        ["propose nothing"],
    ),
    (
        to_france(questions.Ballot(), ("yes", "no", "abstain"), "", "Your ballot on Treaty of Potsdam: yes"),
        "The treaty of Potsdam: do you vote yes, no or abstain? If it is adopted, do you sign it?",
        "its vote on the treaty of Potsdam",
        ["yes", "no", "abstain"],
    ),
    (
        to_france(questions.Ballot(), ("yes", "no"), "", "The Potsdam: yes"),
        "The Treaty of Potsdam: do you vote yes, no or abstain? If it is adopted, do you sign it?",
        "its vote on the Treaty of Potsdam",
        ["yes", "no"],
    ),
    (
        to_france(questions.Ballot(), ("yes", "no"), "", ""),
        "The proposal: do you vote yes, no or abstain? If it is adopted, do you sign it?",
        "its vote on the proposal",
        ["yes", "no"],
    ),
    (
        to_france(questions.Tie(), ("yes", "no"), "", "A tie over the Act of London: yes or no"),
        "The Act of London: the vote is a tie, and you preside. Is it adopted?",
        "how to break the tie",
        ["yes, adopt it", "no, reject it"],
    ),
    (
        to_france(questions.Signature(), ("sign", "refuse"), "", "Do you sign the Act of London?"),
        "Do you sign the Act of London?",
        "whether to sign",
        ["sign", "refuse to sign"],
    ),
    (
        to_france(questions.Defiance(), ("declare war italy", "pass"), "", "Do you declare War?"),
        "Do you declare War?",
        "",
        ["declare War on Italy", "pass"],
    ),
    (
        to_france(
            questions.Call(partner="russia", on=("germany", "italy")),
            ("declare war germany italy", "refuse"),
            "",
            "Russia calls",
        ),
        "Russia calls.",
        "",
        ["declare War on Germany and Italy", "refuse, and break the Treaty"],
    ),
    (
        to_france(questions.DummyCall(), ("wait",)),
        "Uncalled.",
        "",
        ["wait"],
    ),
    (
        to_france(
            questions.Defence(minor="belgium", on=("germany",)),
            ("declare war germany", "pass"),
            "",
            "Belgium is attacked",
        ),
        "Belgium is attacked.",
        "",
        ["declare War on Germany", "pass"],
    ),
    (
        to_france(questions.Invitation(host="italy"), ("join italy", "stay out"), "", "Italy invites"),
        "Italy invites.",
        "",
        ["join Italy", "stay out"],
    ),
    (
        to_france(questions.JoinAttack(), ("attack", "stand aside"), "manchuria", "Join?"),
        "Join?",
        "whether to join the attack in Manchuria",
        ["join with all Units there", "stand aside"],
    ),
    (
        to_france(questions.WarLosses(), ("A1", "N10"), "manchuria", "Which units?"),
        "Which units?",
        "which armies are lost in Manchuria",
        ["A1", "N10"],
    ),
    (
        to_france(
            questions.WarRetreat(), ("A1 > korea", "N1 > france", "A2 > north_china_sea"), "manchuria", "Where to?"
        ),
        "Where to?",
        "where its units in Manchuria retreat to",
        ["A1 to Korea", "N1 to France", "A2 to North China Sea"],
    ),
    (
        to_france(
            questions.CodominionWar(mover="russia"), ("declare war russia", "pass"), "siam", "Russia has entered"
        ),
        "Russia has entered.",
        "whether to declare War over the entry into Siam",
        ["declare War on Russia", "do not declare War"],
    ),
    (
        to_france(questions.EndWaiver(), ("end", "go on"), "", "Does it end?"),
        "Does it end?",
        "whether the War ends",
        ["end the War", "continue the War"],
    ),
    (
        to_france(questions.Announce(), ("announce end", "go on"), "", "Is it over?"),
        "Is it over?",
        "whether the Rebellion is over",
        ["announce the end", "continue"],
    ),
    (
        to_france(questions.Announce(by="britain"), ("agree", "object"), "", "Britain announces"),
        "Britain announces.",
        "whether the Rebellion is over",
        ["agree to the end", "object and continue"],
    ),
    (
        to_france(
            questions.Spoils(),
            (
                "place influence tunis",
                "place possession tunis",
                "leave tunis",
                "codominion protectorate of italy france tunis",
                "italy: place interest tunis",
            ),
            "tunis",
        ),
        "Spoils of War: what does your side place in Tunis? It costs nothing.",
        "what the victors place in Tunis",
        [
            "an Influence in Tunis",
            "a Possession in Tunis",
            "leave Tunis to the other victors",
            "a Codominion of Italy and France in Tunis, a Protectorate each",
            "an Interest in Tunis for Italy",
        ],
    ),
    (
        to_france(
            questions.Cession(),
            ("place influence manchuria", "none"),
        ),
        "Which defeated Area do you demand from China, and with which marker? It costs nothing.",
        "which Area it demands from China",
        ["an Influence in Manchuria", "demand nothing"],
    ),
    (
        to_france(questions.Cessions(), ("sign", "reject"), "", "Sign?"),
        "Sign?",
        "whether to sign what China cedes",
        ["sign the list", "reject the list: nothing is ceded"],
    ),
    (
        to_france(questions.Return(), ("home:france", "korea"), "manchuria", "Where does A1 go?"),
        "Where does A1 go?",
        "where a unit in Manchuria goes",
        ["France", "Korea"],
    ),
    (
        to_france(questions.Command(minor="belgium"), ("britain", "france"), "", "Who commands Belgium?"),
        "Who commands Belgium?",
        "",
        ["Great Britain", "France"],
    ),
]
"""A question, its text, its summary ("" if not tested), and the texts of its answers."""


@pytest.mark.parametrize(("choice", "text", "summary", "answers"), QUESTIONS, ids=lambda x: getattr(x, "kind", ""))
def test_question_and_its_answers_are_described(choice: Pending, text: str, summary: str, answers: list[str]) -> None:
    assert describe_question(tables(), choice) == text
    assert not summary or question_summary(tables(), choice) == summary
    assert [describe_option(tables(), choice, option) for option in choice.options] == answers


def test_every_kind_of_question_is_tested() -> None:
    assert {type(row[0].about) for row in QUESTIONS} == set(questions.AnyQuestion.__args__)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", "nothing"), ("home", "home to France"), ("cape_of_good_hope", "Cape of Good Hope"),
        ("some_word", "some word"), ("A_10", "A_10"), ("home:italy", "Italy"), ("oceania", "Oceania"),
        ("A10, two", "A10, two"),
    ],
)  # fmt: skip
def test_answers_use_names(text: str, read: str) -> None:
    retreat = to_france(questions.Retreat("army", ("A1",)), ("home",), "siam")
    assert describe_option(tables(), retreat, text) == read


def test_several_answers_are_described_together() -> None:
    losses = to_france(questions.Losses(), ("A1", "A3", "A10"), "kenya")
    assert describe_answer(tables(), losses, ()) == "nothing"
    assert describe_answer(tables(), losses, ("A1", "A3", "A10")) == "A1, A3 and A10"


TIE = to_france(questions.Tie(), ("yes", "no"))
BALLOT = to_france(questions.Ballot(), ("yes", "no"), "", "The Act of London: yes")
FIGHT = to_france(questions.FightOrDecline(), ("fight bengal", "decline"), "bengal")
PROPOSE = to_france(questions.Propose(), ("pass",))


@pytest.mark.parametrize(
    ("choice", "made", "line"),
    [
        (FIGHT, {"answer": ("decline",)}, "France decides whether to attack Bengal: do not attack."),
        (FIGHT, {"answer": ("decline",), "by_default": True},
         "France decides whether to attack Bengal: do not attack, by default."),
        (FIGHT, {"void": True}, "France no longer needs to decide whether to attack Bengal."),
        (TIE, {"answer": ("yes",)}, ""),
        (TIE, {"void": True}, ""),
        (PROPOSE, {"answer": ("pass",)}, "France makes no proposal."),
        (BALLOT, {"answer": ("yes",)}, "France decides its vote on the Act of London: yes."),
        (BALLOT, {"answer": ()}, ""),
        (None, {"answer": ("yes",)}, ""),
    ],
)  # fmt: skip
def test_decisions_are_described_except_those_of_a_congress(choice: Pending | None, made: dict, line: str) -> None:
    narrator = Narrator(tables())
    if choice is not None:
        assert narrator.tell(events.ChoiceOffered(choice=choice)).startswith("France must decide ")
    assert narrator.tell(events.ChoiceMade(id="c1", **made)) == line
