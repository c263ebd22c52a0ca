"""All actions of all matters."""

from __future__ import annotations

from paxtui.empires.orders import action, actions_land, actions_politics, actions_sea, actions_time
from paxtui.empires.orders.action import Action

FORMS: dict[type[Action], str] = {
    **action.FORMS,
    **actions_time.FORMS,
    **actions_politics.FORMS,
    **actions_sea.FORMS,
    **actions_land.FORMS,
}
"""Every kind of action with how it is typed."""

BY_TAG: dict[str, type[Action]] = {str(kind.__struct_config__.tag): kind for kind in FORMS}
"""The kinds by the `type` of the raw action."""
