"""A text of each form of the notation, with the action that it is."""

from __future__ import annotations

from paxtui.engine.game import Redo, Undo
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.dispatches import Dispatch
from paxtui.games.pax.state.diplomacy import Clause

FORMS = {
    "place protectorate egypt": actions.Place("protectorate", "egypt"),
    "upgrade possession cuba": actions.Upgrade("possession", "cuba"),
    "downgrade interest siam": actions.Downgrade("interest", "siam"),
    "withdraw influence persia": actions.Withdraw("influence", "persia"),
    "build N10 baltic": actions.Build(("N10",), "baltic"),
    "build A3 A1": actions.Build(("A3", "A1")),
    "move A3 A1 home > egypt": actions.Move(("A3", "A1"), ("home", "egypt")),
    "move N3 home > cape_colony": actions.Move(("N3",), ("home", "cape_colony")),
    "move A1 egypt > mediterranean > tunis": actions.Move(("A1",), ("egypt", "mediterranean", "tunis")),
    "move N3 home > canada (north_pacific)": actions.Move(("N3",), ("home", "canada"), "north_pacific"),
    "move N3 home > home (caribbean)": actions.Move(("N3",), ("home", "home"), "caribbean"),
    "merchant north_atlantic > oceania": actions.Merchant("north_atlantic", "oceania"),
    "merchant new > caribbean": actions.Merchant("new", "caribbean"),
    "canal panama": actions.Canal("panama"),
    "canal panama with france 15/15 points 8/7": actions.Canal("panama", "", ("france",), (15, 15), (8, 7)),
    "pay france 20": actions.Pay("france", 20),
    "transfer tunis to italy": actions.Transfer("tunis", "italy"),
    "fight manchuria": actions.Fight("manchuria"),
    "decline manchuria": actions.Decline("manchuria"),
    "austria_hungary: place protectorate serbia": actions.Place("protectorate", "serbia", "austria_hungary"),
    "austria_hungary: garrison": actions.Garrison("austria_hungary"),
    "choose c12 A3 A1": actions.Choose("c12", ("A3", "A1")),
    "choose c13 decline": actions.Choose("c13", ("decline",)),
    "waive cb4": actions.Waive("cb4"),
    "defend belgium kongo": actions.Defend("belgium", "kongo"),
    "congress france over cb1 cb2": actions.CallCongress("france", ("cb1", "cb2")),
    "codominion tunis": actions.Codominion("tunis"),
    "codominion kongo with germany italy": actions.Codominion("kongo", ("germany", "italy")),
    "treaty Rome with italy: defensive": actions.Draft("Rome", ("italy",), (Clause("defensive"),)),
    "treaty with britain, france public: non-aggression; secret france pays britain 5 in 1888": actions.Draft(
        "",
        ("britain", "france"),
        (Clause("non_aggression"), Clause("pay", power="france", to="britain", amount=5, turn=3, secret=True)),
        public=True,
    ),
    "treaty Rome with italy:": actions.Draft("Rome", ("italy",), ()),
    "propose with italy: italy leaves tunis; france pays italy 15": actions.Draft(
        "",
        ("italy",),
        (Clause("lower", power="italy", places=("tunis",)), Clause("pay", power="france", to="italy", amount=15)),
        "settlement",
    ),
    "propose Paris: codominion of tunis with france, italy": actions.Draft(
        "Paris", (), (Clause("codominion", places=("tunis",), against=("france", "italy")),), "congress"
    ),
    "propose: italy leaves tunis": actions.Draft(
        "", (), (Clause("lower", power="italy", places=("tunis",)),), "congress"
    ),
    'amend kq7d as Rome with italy public: "be kind"': actions.Draft(
        "Rome", ("italy",), (Clause("text", text="be kind"),), public=True, instead="kq7d"
    ),
    "austria_hungary: amend kq7d: defensive": actions.Draft(
        "", (), (Clause("defensive"),), instead="kq7d", power="austria_hungary"
    ),
    "sign kq7d": actions.Sign("kq7d"),
    "reject kq7d": actions.Reject("kq7d"),
    "reveal kq7d": actions.Reveal("kq7d"),
    "reveal kq7d 2": actions.Reveal("kq7d", 2),
    "lapse kq7d": actions.Lapse("kq7d"),
    "release kq7d italy": actions.Release("kq7d", "italy"),
    "renounce kq7d": actions.Renounce("kq7d"),
    "charge kq7d 2 germany": actions.Charge("kq7d", 2, "germany"),
    "judge kq7d 2 germany guilty": actions.Judge("kq7d", 2, "germany", True),
    "judge kq7d 2 austria_hungary innocent": actions.Judge("kq7d", 2, "austria_hungary", False),
    "dispatch france, italy: shall we talk?": Dispatch(("france", "italy"), "shall we talk?"),
    "proclaim: peace in our time": Dispatch((), "peace in our time"),
    "declare war germany russia over cb3": actions.DeclareWar(("germany", "russia"), ("cb3",)),
    "austria_hungary: declare war italy": actions.DeclareWar(("italy",), (), "austria_hungary"),
    "join ottoman_empire": actions.JoinWar("ottoman_empire"),
    "invite france italy": actions.InviteAid(("france", "italy")),
    "volunteer aden to japan": actions.Volunteer("aden", "japan"),
    "deny suez to france": actions.Deny("suez", "france"),
    "allow central_america to france": actions.Allow("central_america", "france"),
    "attack manchuria": actions.Attack("manchuria"),
    "attack manchuria naval": actions.Attack("manchuria", True),
    "attack north_china_sea naval": actions.Attack("north_china_sea", True),
    "announce end": actions.AnnounceEnd(),
    "pass": actions.Pass(),
    "garrison": actions.Garrison(),
    'adjudicate [{"seat":"italy","text":"build A1"}]': actions.Adjudicate(
        (actions.SubmittedForm("italy", "build A1"),)
    ),
    "ready": actions.Ready(),
    "unready": actions.Unready(),
    "advance": actions.Advance(),
    "advance!": actions.Advance(force=True),
    "step": actions.Step(),
    "undo": Undo(),
    "undo 14": Undo(14),
    "redo": Redo(),
    'position {"turn":2}': actions.SetPosition({"turn": 2}),
    "abandon france italy": actions.Abandon(("france", "italy")),
    "resume france": actions.Abandon(("france",), lifted=True),
}
