"""The keys of the game screen: each has an id, by which palette, help and keymap know it, and says what it does."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from paxtui.tui.panes.registry import PANES

KEYS: list[BindingType] = [
    Binding("enter", "menu", "What can I do here", id="game.menu", tooltip="Everything that can be done here"),
    Binding("v", "move", "Move", id="game.move", tooltip="Move units from the place under the cursor"),
    Binding("V", "reinforce", "Bring units", id="game.reinforce", tooltip="Bring units to the place under the cursor"),
    Binding("space", "group", "Next group", id="game.group", tooltip="Another group of units to move"),
    Binding("escape", "back", "Back", id="game.back", tooltip="Leave move mode, or the line below"),
    Binding("c", "choose", "Choose", id="game.choose", tooltip="Answer a pending choice"),
    Binding("r", "ready", "Ready", id="game.ready", tooltip="Nothing more to do in this Phase"),
    Binding("R", "all_ready", "All ready", id="game.all_ready", tooltip="Every seat of this keyboard is ready"),
    Binding("colon", "command", "Command", id="game.command", tooltip="Give an order in words"),
    Binding("slash", "find", "Find", id="game.find", tooltip="Jump to a place by name or code"),
    Binding("s", "seat(1)", "Next seat", id="game.seat", tooltip="The next seat sits down"),
    Binding("S", "seat(-1)", "Previous seat", id="game.seat_back", tooltip="The previous seat sits down"),
    Binding("W", "sitters", "Who sits where", id="game.sitters", tooltip="Persons, bots and empty seats"),
    Binding("a", "other_power", "Other Power", id="game.power", tooltip="The other Power of this seat"),
    Binding("u", "undo", "Undo", id="game.undo", tooltip="Take back the last act"),
    Binding("ctrl+r", "redo", "Redo", id="game.redo", tooltip="Bring back what was undone"),
    Binding("U", "undo_here", "Undo to here", id="game.undo_here", tooltip="Take the game back to this line"),
    Binding("left_square_bracket", "history(-1)", "One line back", id="game.past", tooltip="The line before"),
    Binding("right_square_bracket", "history(1)", "One line on", id="game.later", tooltip="The line after"),
    Binding("left_curly_bracket", "turn(-1)", "Turn back", id="game.turn_back", tooltip="One Game Turn back"),
    Binding("right_curly_bracket", "turn(1)", "Turn on", id="game.turn_on", tooltip="One Game Turn on"),
    Binding("l", "log", "Whole log", id="game.log", tooltip="The whole log: choose a moment to look at"),
    Binding("p", "play", "Play", id="game.play", tooltip="Play the log from here on; once more stops"),
    Binding("m", "mark", "Mark", id="game.mark", tooltip="Remember this moment, to compare another with it"),
    Binding("equals_sign", "compare", "Compare", id="game.compare", tooltip="Compare with the moment marked"),
    Binding("w", "since", "Meanwhile", id="game.since", tooltip="What has happened since you last sat here"),
    Binding("g", "advice", "What would you do?", id="game.advice", tooltip="What a statesman would do in your place"),
    Binding("G", "garrison_all", "Garrison all", id="game.garrison_all", tooltip="Buy and send missing garrisons"),
    Binding("B", "purchases", "What money buys", id="game.purchases", tooltip="What your money can buy, best first"),
    Binding("b", "hurry", "Hurry the rivals", id="game.hurry", tooltip="No more pauses while the rivals move"),
    Binding("o", "look(1)", "What a rival did", id="game.look_back", tooltip="Where a rival acted; the last act first"),
    Binding("O", "look(-1)", "Rivals, later act", id="game.look_on", tooltip="Where a rival acted after that"),
    Binding("home", "history(-1000000)", "Beginning", id="game.first", tooltip="The start of the game"),
    Binding("end", "history(1000000)", "Present", id="game.last", tooltip="Return to the present"),
    # priority: the map has a z of its own, which knows no cards
    Binding("z", "zoom", "Zoom", id="game.zoom", tooltip="World, theatre, region cards", priority=True),
    Binding("f", "filter", "Filter", id="game.filter", tooltip="Show one question on the map"),
    Binding("t", "treaties", "Diplomacy", id="game.treaties", tooltip="Treaties, proposals and drafts to sign"),
    Binding("P", "peace", "Peace", id="game.peace", tooltip="End a War: propose a peace, or answer one"),
    Binding("C", "congress", "Congress", id="game.congress", tooltip="The hall of the Congress, or call one"),
    Binding("d", "dispatches", "Dispatches", id="game.dispatches", tooltip="Read and write dispatches"),
    Binding("T", "talk", "Table talk", id="game.talk", tooltip="What is said at a table that is kept for several"),
    Binding("F", "filters", "Filters", id="game.filters", tooltip="Choose the question the map shows"),
    Binding("h", "go_home", "Home Country", id="game.home", tooltip="The cursor goes to your Home Country"),
    Binding("up", "card(-1)", "Card above", id="game.card_up", tooltip="The card above", show=False),
    Binding("down", "card(1)", "Card below", id="game.card_down", tooltip="The card below", show=False),
    Binding("pageup", "leaf(-1)", "Pane up", id="game.pane_up", tooltip="The pane, one page back", show=False),
    Binding("pagedown", "leaf(1)", "Pane down", id="game.pane_down", tooltip="The pane, one page on", show=False),
    Binding("left", "region(-1)", "Region back", id="game.region_back", tooltip="The region before", show=False),
    Binding("right", "region(1)", "Region on", id="game.region_on", tooltip="The next region", show=False),
    Binding("n", "next_task", "Next task", id="game.next_task", tooltip="The next place that wants something"),
    *(
        Binding(pane.key, f"pane('{pane.name}')", pane.title, id=f"game.pane{pane.key}", tooltip=pane.help)
        for pane in PANES
    ),
    Binding("tab", "next_pane", "Next pane", id="game.next_pane", tooltip="The next pane of the side column"),
    Binding("question_mark", "why", "Rule", id="game.why", tooltip="The rule behind the last refusal"),
    Binding("e", "sheet", "Record Sheet", id="game.sheet", tooltip="The Record Sheet, every line explained"),
    Binding("i", "statistics", "Statistics", id="game.statistics", tooltip="The course of the game in charts"),
    Binding("f2", "rules", "Rules", id="game.rules", tooltip="Read and search the rules"),
    Binding("f3", "glossary", "Glossary", id="game.glossary", tooltip="The words and signs of the game"),
    Binding("H", "host", "Host this game", id="game.host", tooltip="Open the game for friends, who come with ssh"),
    Binding("q", "leave", "Leave", id="game.leave", tooltip="Back to the start screen; nothing is lost"),
]
