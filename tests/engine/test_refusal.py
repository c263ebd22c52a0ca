import pickle

from paxtui.engine.refusal import Refusal


def test_refusal_has_message_and_detail():
    refusal = Refusal("no_army", ("CCB-001",), "There is no army.", area="siam")
    assert str(refusal) == "There is no army."
    assert (refusal.code, refusal.rules, refusal.detail) == ("no_army", ("CCB-001",), {"area": "siam"})
    assert str(pickle.loads(pickle.dumps(refusal))) == "There is no army."
