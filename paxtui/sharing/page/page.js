"use strict";
// Shows a game: `game` is the data of the page, `line` the shown line of the log. Every text is inserted as text.
const game = JSON.parse(document.getElementById("game").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const SIGNS = {interest: "○", influence: "●", protectorate: "◇", possession: "◆", dominion: "★", state: "★"};
const NAMES = {interest: "Interest", influence: "Influence", protectorate: "Protectorate", possession: "Possession",
  dominion: "Dominion", state: "State"};
const TYPES = {independent: "independent", ottoman: "Ottoman Empire", chinese_empire: "Chinese Empire",
  chinese_vassal: "vassal of China", unorganized: "unorganized"};
const UNREST = 1, CASUS_BELLI = 2, CANAL = 4, UNESTABLISHED = 8;
game.turns = game.turns.map(([turn, year, first, last]) => ({turn, year, line: first, last}));
const powers = new Map(game.powers.map((p) => [p.id, p]));
const places = new Map(game.places.map((p) => [p.id, p]));
const letters = (id) => (powers.get(id) || {letters: id.slice(0, 2).toUpperCase()}).letters;
const powerName = (id) => (powers.get(id) || {name: id.replace(/_/g, " ")}).name;
const ink = (id) => powers.has(id) ? `var(--p-${id})` : ({key: "var(--key)", alarm: "var(--alarm)"})[id] || "var(--second)";

function el(tag, set, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(set || {})) {
    if (key === "class") made.className = value;
    else if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((c) => c !== null && c !== undefined && c !== ""));
  return made;
}
function svg(tag, set, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(set || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
const styled = (made, css) => { Object.assign(made.style, css); return made; };
const clamp = (n, low, high) => Math.max(low, Math.min(high, n));

// --- positions ---------------------------------------------------------------------------------------------------

let line = 0, shown = new Map();
let position = new Map(Object.entries(game.start)), applied = 0, reached = 1;

function positionAt(wanted) {
  if (wanted < reached) { position = new Map(Object.entries(game.start)); applied = 0; }
  while (applied < game.changes.length && game.changes[applied][0] <= wanted) {
    position.set(game.changes[applied][1], game.changes[applied][2]);
    applied++;
  }
  reached = wanted;
  return position;
}
const turnAt = (n) => game.turns.reduce((found, t) => t.line <= n ? t : found, game.turns[0]);
const turnIndex = (n) => game.turns.indexOf(turnAt(n));

// the lines with news, for the buttons
const newsLines = [...new Set(game.log.filter((e) => !e[4] && e[2] !== "phase").map((e) => e[0]))];
const entriesOf = new Map();
game.log.forEach((entry, n) => {
  if (!entriesOf.has(entry[0])) entriesOf.set(entry[0], []);
  entriesOf.get(entry[0]).push(n);
});

// --- the map -------------------------------------------------------------------------------------------------------

const lands = new Map([...document.querySelectorAll("#lands .land")].map((path) => [path.dataset.place, path]));
const signs = new Map();
for (const label of document.querySelectorAll(".label")) {
  const place = label.dataset.place;
  if (!signs.has(place)) signs.set(place, []);
  signs.get(place).push(label.querySelector(".signs"));
}

function pattern(colours) {
  const id = "stripes-" + colours.join("-").replace(/[^a-z0-9-]/gi, "");
  if (!$(id)) {
    const width = 9 * colours.length;
    const stripes = colours.map((colour, n) => styled(svg("rect", {x: 9 * n, width: 9, height: width}), {fill: colour}));
    $("patterns").append(svg("pattern", {id, width, height: width, patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)"}, ...stripes));
  }
  return `url(#${id})`;
}

function paintArea(area, [markers, status, holders, units, flags]) {
  const land = lands.get(area);
  if (land) {
    const known = holders.filter((power) => powers.has(power));
    const colours = known.map((power) => `var(--f-${power}-${status})`);
    if (flags & UNESTABLISHED && colours.length) colours.push("var(--land)");
    const type = places.get(area).type;
    const bare = type.startsWith("chinese") ? "var(--f-china-interest)" :
      type === "ottoman" ? "var(--f-ottoman-interest)" : "var(--land)";
    land.style.fill = colours.length > 1 ? pattern(colours) : colours[0] || bare;
  }
  const best = markers.filter((m) => holders.includes(m[0]) && m[1] === status);
  const pieces = (best.length ? best : markers).slice(0, 4).map(([power, marker, established]) => {
    const text = SIGNS[marker] + (best.length === 1 ? letters(power) : "") + (established ? "" : "?");
    return [text, ink(power)];
  });
  if (flags & UNREST) pieces.push(["!", "var(--alarm)"]);
  if (flags & CASUS_BELLI) pieces.push(["⚔", "var(--alarm)"]);
  if (flags & CANAL) pieces.push(["=", "var(--ink)"]);
  writeSigns(area, pieces);
}
function writeSigns(place, pieces) {
  for (const row of signs.get(place) || []) {
    row.replaceChildren(...pieces.map(([text, colour]) => {
      const piece = styled(svg("tspan"), {fill: colour});
      piece.textContent = text;
      return piece;
    }));
  }
}
function paintSea(zone, [merchants, fleets]) {
  const pieces = merchants.map((power, n) => [(n ? " " : "") + letters(power), ink(power)]);
  for (const [power, units] of fleets) pieces.push([` ⚓${letters(power)} ${units}`, ink(power)]);
  writeSigns(zone, pieces);
}
for (const [place, path] of lands)
  if (place.startsWith("home:")) path.style.fill = `var(--f-${place.slice(5)}-home)`;

let zoom = 1;
function setZoom(wanted, x, y) {
  const box = $("map-scroll"), before = zoom;
  const cx = x === undefined ? (box.scrollLeft + box.clientWidth / 2) / before : x;
  const cy = y === undefined ? (box.scrollTop + box.clientHeight / 2) / before : y;
  zoom = clamp(wanted, 1, 6);
  $("map").style.width = `${zoom * 100}%`;
  box.classList.toggle("near", zoom * box.clientWidth >= 1750);
  box.scrollLeft = cx * zoom - box.clientWidth / 2;
  box.scrollTop = cy * zoom - box.clientHeight / 2;
  $("zoom-out").disabled = zoom <= 1;
  $("zoom-in").disabled = zoom >= 6;
}
function drawArrows(pairs) {
  const at = (place) => {
    const label = document.querySelector(`#codes .label[data-place="${CSS.escape(place)}"] text`);
    return label && [Number(label.getAttribute("x")) + 16, Number(label.getAttribute("y")) - 6];
  };
  $("arrows").setAttribute("d", pairs.map(([from, to]) => {
    const a = at(from), b = at(to);
    if (!a || !b) return "";
    const way = Math.atan2(b[1] - a[1], b[0] - a[0]), head = (turn) =>
      `${b[0] - 22 * Math.cos(way + turn)} ${b[1] - 22 * Math.sin(way + turn)}`;
    return `M${a.join(" ")}L${b.join(" ")}M${head(0.45)}L${b.join(" ")}L${head(-0.45)}`;
  }).join(""));
}
const outlines = (some) => [...some].map((place) => lands.get(place)?.getAttribute("d") || "").join("");

// --- the card of a place ---------------------------------------------------------------------------------------------

let picked = "";
function describe(place) {
  const here = places.get(place), facts = [], rows = [];
  if (here.kind === "area") {
    const [markers, , , units, flags] = position.get(`a:${place}`);
    facts.push(here.region, TYPES[here.type] || here.type, `Economic Value ${here.value}, Resistance ${here.strength}`);
    for (const [power, marker, established] of markers)
      rows.push([`${SIGNS[marker]} ${powerName(power)}: ${NAMES[marker]}${established ? "" : " (not established)"}`, power]);
    for (const [power, text] of units) rows.push([`${powerName(power)}: ${text}`, power]);
    if (flags & UNREST) rows.push(["Unrest", "alarm"]);
    if (flags & CASUS_BELLI) rows.push(["Casus Belli", "alarm"]);
    if (flags & CANAL) rows.push(["Canal", ""]);
  } else if (here.kind === "home") {
    facts.push("Home Country");
    const units = position.get(`h:${place.slice(5)}`);
    if (units) rows.push([`At home: ${units}`, place.slice(5)]);
  } else if (here.kind === "sea") {
    const [merchants, fleets] = position.get(`s:${place}`) || [[], []];
    facts.push("Sea Zone");
    for (const power of merchants) rows.push([`${powerName(power)}: Merchant Fleet`, power]);
    for (const [power, text] of fleets) rows.push([`${powerName(power)}: ${text}`, power]);
  }
  return {name: here.name, facts, rows: rows.length ? rows : [["empty", ""]]};
}
function showCard(place, hover) {
  $("card").hidden = !place;
  if (!place) return;
  const {name, facts, rows} = describe(place);
  $("card").classList.toggle("hover", hover);
  $("card-name").textContent = name;
  $("card-facts").textContent = facts.join(" · ");
  $("card-list").replaceChildren(...rows.map(([text, power]) => styled(el("li", {}, text), power ? {color: ink(power)} : {})));
}
function pick(place, centre) {
  picked = place;
  $("picked").setAttribute("d", place ? outlines([place]) : "");
  $("place").value = place;
  showCard(place, false);
  if (place && centre) {
    const label = document.querySelector(`#codes .label[data-place="${CSS.escape(place)}"] text`);
    if (!label) return;
    const scale = $("map-scroll").clientWidth / 1920;
    setZoom(zoom, label.getAttribute("x") * scale, label.getAttribute("y") * scale);
  }
}
const placeOf = (event) => event.target.closest?.("[data-place]")?.dataset.place || "";
$("map").addEventListener("click", (event) => pick(placeOf(event) === picked ? "" : placeOf(event)));
$("map").addEventListener("pointerover", (event) => {
  if (event.pointerType === "mouse" && !picked) showCard(placeOf(event), true);
});
$("map").addEventListener("pointerleave", () => { if (!picked) showCard(""); });
$("card-close").onclick = () => pick("");
$("card-log").onclick = () => { $("f-place").value = picked; filter(); $("log-section").scrollIntoView(); };
$("place").onchange = () => pick($("place").value, true);
$("zoom-in").onclick = () => setZoom(zoom * 1.5);
$("zoom-out").onclick = () => setZoom(zoom / 1.5);

// --- the Powers ------------------------------------------------------------------------------------------------------

const rowsOf = new Map();
const bySeat = game.powers.filter((p) => position.has(`p:${p.id}`))
  .sort((a, b) => (game.ranks[a.id] || 99) - (game.ranks[b.id] || 99));
const END = game.figures.findIndex((f) => f[0] === "end");
const courses = new Map(bySeat.map((p) => [p.id, []]));
function buildPowers() {
  const head = el("tr", {}, el("th", {scope: "col"}, "Power"),
    ...game.figures.map(([, column, title]) => el("th", {scope: "col", class: "n", title}, el("abbr", {title}, column))),
    el("th", {scope: "col"}, "course"));
  const body = el("tbody");
  for (const power of [...bySeat.filter((p) => p.seat), ...bySeat.filter((p) => !p.seat)]) {
    const name = el("th", {scope: "row", title: "Show its log"}, power.name, el("small", {}, power.player));
    name.style.setProperty("--swatch", ink(power.id));
    const cells = game.figures.map(() => el("td", {class: "n"}));
    const course = el("td", {"aria-hidden": "true"});
    const row = el("tr", {class: power.seat ? "" : "minor"}, name, ...cells, course);
    name.onclick = () => { $("f-power").value = $("f-power").value === power.id ? "" : power.id; filter(); };
    rowsOf.set(power.id, {row, cells, course});
    body.append(row);
  }
  $("powers").replaceChildren(el("thead", {}, head), body);
  if (END < 0) return;
  game.turns.forEach((turn, n) => {
    const at = positionAt(turn.last);
    for (const [power, values] of courses) values.push(at.get(`p:${power}`)?.[END] ?? null);
  });
  const all = [...courses.values()].flat().filter((v) => v !== null);
  const low = Math.min(...all), high = Math.max(...all, low + 1);
  for (const [power, values] of courses) {
    if (values.every((v) => v === null)) continue;
    const x = (n) => 3 + n * 70 / Math.max(1, values.length - 1), y = (v) => 19 - (v - low) * 16 / (high - low);
    const points = values.map((v, n) => `${x(n).toFixed(1)},${y(v ?? low).toFixed(1)}`).join(" ");
    const dot = styled(svg("circle", {r: 3}), {fill: ink(power)});
    rowsOf.get(power).course.append(svg("svg", {viewBox: "0 0 76 22"},
      styled(svg("polyline", {points}), {fill: "none", stroke: ink(power), strokeWidth: 1.6}), dot));
    rowsOf.get(power).dot = (n) => { dot.setAttribute("cx", x(n)); dot.setAttribute("cy", y(values[n] ?? low)); };
  }
}
function showPower(power, values, before) {
  const {cells} = rowsOf.get(power);
  values.forEach((value, n) => {
    const unit = ["treasury", "net"].includes(game.figures[n][0]) && value !== null ? "£" : "";
    const sign = value < 0 ? "−" : "";
    const change = before && value !== null && before[n] !== null ? value - before[n] : 0;
    const arrow = change ? el("span", {class: change > 0 ? "up" : "down"}, `${change > 0 ? "▲" : "▼"}${Math.abs(change)}`) : "";
    cells[n].replaceChildren(value === null ? "" : `${sign}${unit}${Math.abs(value)}`);
    if (arrow && n === 0) cells[n].prepend(arrow, " ");
  });
}
function showIndexes([tension, resentment], wars) {
  const bar = (value) => {
    const inner = styled(document.createElement("i"), {width: `${clamp(value, 0, 100)}%`});
    return el("dd", {class: "bar", "aria-hidden": "true"}, inner);
  };
  const items = [];
  for (const [name, value] of [["European Tensions", tension], ["Chinese Resentment", resentment]])
    items.push(el("dt", {}, name), bar(value), el("dd", {}, String(value)));
  for (const war of wars) items.push(el("dd", {class: "text"}, `War: ${war}`));
  $("indexes").replaceChildren(...items);
}

// --- the log -------------------------------------------------------------------------------------------------------

const items = [];
function buildLog() {
  game.log.forEach(([at, who, group, place, quiet, text], n) => {
    let item;
    if (group === "turn") item = el("li", {class: "turn"}, text);
    else if (group === "phase") item = el("li", {class: "phase"}, text);
    else {
      const seat = el("span", {class: "who", title: who.map(powerName).join(", ")}, who.length ? letters(who[0]) : "");
      if (who.length) seat.style.color = ink(who[0]);
      item = el("li", {class: group}, seat, el("span", {}, text));
    }
    item.dataset.n = n;
    items.push(item);
  });
  $("log").append(...items);
  for (const power of game.powers) $("f-power").append(el("option", {value: power.id}, power.name));
  const groups = new Set(game.log.map((e) => e[2]));
  for (const [id, name] of Object.entries(game.groups)) if (groups.has(id)) $("f-kind").append(el("option", {value: id}, name));
  const named = new Set(game.log.map((e) => e[3]));
  for (const box of [$("f-place"), $("place")]) {
    const regions = new Map();
    for (const place of game.places) {
      if (place.kind === "cape" || (box.id === "f-place" && !named.has(place.id))) continue;
      const region = place.region || {home: "Home Countries", sea: "Sea Zones"}[place.kind] || "Other";
      if (!regions.has(region)) regions.set(region, el("optgroup", {label: region}));
      regions.get(region).append(el("option", {value: place.id}, place.name));
    }
    box.append(...[...regions.values()].sort((a, b) => a.label < b.label ? -1 : 1));
  }
}
function filter() {
  const power = $("f-power").value, kind = $("f-kind").value, place = $("f-place").value;
  const text = $("f-text").value.trim().toLocaleLowerCase(), quiet = $("f-quiet").checked;
  const narrow = power || kind || place || text;
  let count = 0, heading = null, phase = null;
  game.log.forEach(([, who, group, where, isQuiet, words], n) => {
    if (group === "turn") { heading = items[n]; phase = null; items[n].hidden = Boolean(narrow); return; }
    if (group === "phase") { phase = items[n]; items[n].hidden = Boolean(narrow); return; }
    const fits = (!isQuiet || quiet) && (!power || who.includes(power)) && (!kind || group === kind) &&
      (!place || where === place) && (!text || words.toLocaleLowerCase().includes(text));
    items[n].hidden = !fits;
    if (!fits) return;
    count++;
    if (heading) heading.hidden = false;
    if (phase) phase.hidden = false;
  });
  $("count").textContent = `${count} ${count === 1 ? "entry" : "entries"}`;
  for (const [id, {row}] of rowsOf) row.classList.toggle("chosen", id === power);
  followLog();
}
for (const id of ["f-power", "f-kind", "f-place", "f-quiet"]) $(id).onchange = filter;
$("f-text").oninput = filter;
$("filters").onsubmit = (event) => event.preventDefault();
$("log").addEventListener("click", (event) => {
  const item = event.target.closest("li");
  if (!item || getSelection().toString()) return;
  const [at, , , place] = game.log[item.dataset.n];
  go(at);
  if (place && places.has(place)) pick(place, true);
});
let marked = [], past = 0;
function markLog() {
  for (const item of marked) item.classList.remove("now");
  let end = game.log.findIndex((entry) => entry[0] > line);
  if (end < 0) end = game.log.length;
  for (let n = Math.min(past, end); n < Math.max(past, end); n++) items[n].classList.toggle("future", n >= end);
  past = end;
  marked = (entriesOf.get(line) || []).map((n) => items[n]);
  for (const item of marked) item.classList.add("now");
  followLog();
}
function followLog() {
  let n = Math.min(past, items.length) - 1;
  const first = marked.find((item) => !item.hidden);
  while (!first && n >= 0 && (items[n].hidden || n === undefined)) n--;
  const item = first || items[n];
  if (item) $("log-scroll").scrollTop = item.offsetTop - $("log-scroll").clientHeight / 3;
}

// --- remarks: turning points and comments -----------------------------------------------------------------------------

function buildRemarks(id, remarks) {
  $(`${id}-section`).hidden = !remarks.length;
  for (const remark of remarks) {
    const jump = el("button", {type: "button"}, `${turnAt(remark.line).year}, line ${remark.line}`);
    jump.onclick = () => { go(remark.line); if (remark.places.length) pick(remark.places[0], true); };
    const head = el("p", {class: "head"}, jump, " ", [remark.label, remark.author, remark.time].filter(Boolean).join(" · "));
    const item = el("li", {}, head, el("p", {class: "words"}, remark.text));
    item.dataset.line = remark.line;
    $(id).append(item);
  }
}
function markRemarks() {
  const here = [...game.review, ...game.comments].filter((remark) => remark.line === line);
  drawArrows(here.flatMap((remark) => remark.arrows));
  $("noted").replaceChildren(...here.map((r) => el("p", {},
    el("b", {}, [r.label, r.author].filter(Boolean).join(" · ")), " ", r.text)));
  for (const item of document.querySelectorAll(".remarks li")) item.classList.toggle("now", Number(item.dataset.line) === line);
}

// --- charts --------------------------------------------------------------------------------------------------------

const W = 640, H = 300, LEFT = 40, TOP = 12, BOTTOM = 26;
const cursors = [];
function buildCurves([title, note, ticks, series, limit], ofBeginnings) {
  const values = series.flatMap((s) => s[4]).filter((v) => v !== null);
  const low = Math.min(0, ...values), high = Math.max(...values, low + 1);
  const words = (s) => powers.has(s[0]) ? s[2] : s[3].split(" ").pop();
  const RIGHT = 66 + 8 * Math.max(...series.map((s) => words(s).length));
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((s) => (high - low) / s <= 6) || 1000;
  const x = (n) => LEFT + n * (W - LEFT - RIGHT) / Math.max(1, ticks.length - 1);
  const y = (v) => TOP + (high - v) * (H - TOP - BOTTOM) / (high - low);
  const drawing = svg("svg", {viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${title}: ${note}`});
  const text = (content, at) => { const t = svg("text", at); t.textContent = content; return t; };
  for (let v = Math.ceil(low / step) * step; v <= high; v += step)
    drawing.append(svg("line", {class: "grid", x1: LEFT, x2: W - RIGHT, y1: y(v), y2: y(v)}),
      text(v, {x: LEFT - 6, y: y(v) + 4, "text-anchor": "end"}));
  ticks.forEach((tick, n) => drawing.append(text(tick, {x: x(n), y: H - 6, "text-anchor": "middle"})));
  if (limit && limit[0] <= high)
    drawing.append(svg("line", {class: "limit", x1: LEFT, x2: W - RIGHT, y1: y(limit[0]), y2: y(limit[0])}),
      text(limit[1], {class: "limit", x: LEFT + 6, y: y(limit[0]) + 14}));
  const ends = [];
  for (const [power, sign, short, label, run] of series) {
    const there = run.map((v, n) => [n, v]).filter(([, v]) => v !== null);
    if (!there.length) continue;
    drawing.append(styled(svg("polyline", {points: there.map(([n, v]) => `${x(n).toFixed(1)},${y(v).toFixed(1)}`).join(" ")}),
      {stroke: ink(power)}));
    for (const [n, v] of there) {
      const hint = svg("title");
      hint.textContent = `${label}, ${ticks[n]}: ${v}`;
      drawing.append(styled(svg("circle", {cx: x(n), cy: y(v), r: 3}, hint), {fill: ink(power)}));
    }
    const last = there[there.length - 1][1];
    ends.push({y: y(last), power, words: `${sign} ${words([power, sign, short, label])} ${Math.round(last)}`});
  }
  ends.sort((a, b) => a.y - b.y);
  ends.forEach((end, n) => { if (n) end.y = Math.max(end.y, ends[n - 1].y + 14); });
  for (let n = ends.length - 1, floor = H - BOTTOM; n >= 0; n--, floor -= 14) ends[n].y = floor = Math.min(ends[n].y, floor);
  for (const end of ends)
    drawing.append(styled(text(end.words, {class: "end", x: W - RIGHT + 10, y: end.y + 4}), {fill: ink(end.power)}));
  const here = svg("line", {class: "here", y1: TOP, y2: H - BOTTOM});
  drawing.append(here);
  cursors.push((turn) => {
    const at = clamp(ofBeginnings ? turn : turn - 1, 0, ticks.length - 1);
    here.setAttribute("x1", x(at)); here.setAttribute("x2", x(at));
  });
  drawing.style.cursor = "pointer";
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const n = Math.round(((event.clientX - box.left) * W / box.width - LEFT) * (ticks.length - 1) / (W - LEFT - RIGHT));
    const turn = clamp(n, 0, game.turns.length - 1);
    go(n > turn ? game.last : ofBeginnings ? game.turns[turn].line : endOfTurn(turn));
  });
  const table = el("table", {}, el("thead", {}, el("tr", {}, el("th", {scope: "col"}, ""),
    ...ticks.map((tick) => el("th", {scope: "col", class: "n"}, tick)))),
    el("tbody", {}, ...series.map(([, , , label, run]) => el("tr", {}, el("th", {scope: "row"}, label),
      ...run.map((v) => el("td", {class: "n"}, v === null ? "" : String(v)))))));
  return el("figure", {class: "card"}, el("figcaption", {}, el("h3", {}, title), el("p", {}, note)), drawing,
    el("details", {}, el("summary", {}, "Figures"), el("div", {class: "wide"}, table)));
}
function buildBars([title, note, parts, bars]) {
  const most = Math.max(1, ...bars.map((bar) => bar[4].reduce((sum, [, amount]) => sum + Math.abs(amount), 0)));
  const shades = [1, 0.72, 0.5, 0.3, 1];
  const rows = bars.map(([power, , label, total, pieces]) => el("tr", {}, styled(el("th", {scope: "row"}, label), {color: ink(power)}),
    el("td", {class: "n"}, String(total)), el("td", {}, ...pieces.map(([part, amount]) => styled(
      el("i", {title: `${parts[part]}: ${amount}`, role: "img", "aria-label": `${parts[part]}: ${amount}`}),
      {width: `${Math.abs(amount) * 100 / most}%`, opacity: shades[part], background: amount < 0 ? "var(--alarm)" : ink(power)})))));
  return el("figure", {class: "card bars"}, el("figcaption", {}, el("h3", {}, title),
    el("p", {}, [parts.slice(0, 4).join(", ") + ": from strong to faint", note].filter(Boolean).join("; "))),
    el("table", {}, el("tbody", {}, ...rows)));
}
function buildSpans() {
  $("spans-section").hidden = !game.spans.length;
  const first = game.turns[0].turn, count = Math.max(1, game.turns.length);
  for (const span of game.spans) {
    const begin = Math.max(0, span.began - first), end = span.ended ? span.ended - first : count;
    const bar = styled(el("i", {class: span.kind}), {left: `${begin * 100 / count}%`,
      width: `${Math.max(0.5, Math.min(end + 0.5, count) - begin) * 100 / count}%`});
    const sides = span.sides.map((side) => side.map(powerName).join(", ")).join(" against ");
    const year = (turn) => (game.turns.find((t) => t.turn === turn) || {year: ""}).year;
    const years = span.ended === span.began ? year(span.began) : `${year(span.began)}${span.ended ? `–${year(span.ended)}` : " on"}`;
    const when = [years, span.how || "", span.secret ? "secret" : ""];
    $("spans").append(el("div", {class: "span"}, el("div", {}, span.kind === "congress" || span.title === sides ? span.title : `${span.title}: ${sides}`,
      el("br"), el("small", {}, when.filter(Boolean).join(" · "))), el("div", {class: "bar", "aria-hidden": "true"}, bar)));
  }
}

// --- the map as a table ------------------------------------------------------------------------------------------------

function showAreas() {
  if (!$("areas-box").open) return;
  const rows = game.places.filter((p) => p.kind === "area").map((place) => {
    const [markers, , , units, flags] = position.get(`a:${place.id}`);
    const marks = markers.map(([power, marker, ok]) => `${powerName(power)} ${NAMES[marker]}${ok ? "" : " (not established)"}`);
    const notes = [flags & UNREST && "Unrest", flags & CASUS_BELLI && "Casus Belli", flags & CANAL && "Canal"].filter(Boolean);
    return el("tr", {}, el("th", {scope: "row"}, place.name), el("td", {}, place.region), el("td", {}, marks.join("; ")),
      el("td", {}, units.map(([power, text]) => `${powerName(power)} ${text}`).join("; ")), el("td", {}, notes.join(", ")));
  });
  const head = ["Area", "Region", "Markers", "Units", "Notes"].map((name) => el("th", {scope: "col"}, name));
  $("areas").replaceChildren(el("caption", {class: "hidden"}, `All Areas: ${momentText()}`),
    el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}
$("areas-box").ontoggle = showAreas;

// --- the timeline ------------------------------------------------------------------------------------------------------

const endOfTurn = (n) => game.turns[n].last;
function momentText() {
  const turn = turnAt(line);
  return `${turn.year}, Game Turn ${turn.turn}, ${position.get("phase")} Phase`;
}
function newsText() {
  const news = (entriesOf.get(line) || []).map((n) => game.log[n]).filter((e) => !e[4] && e[2] !== "phase");
  if (!news.length) return "";
  return news.slice(0, 3).map((e) => e[5]).join(" · ") + (news.length > 3 ? ` · and ${news.length - 3} more` : "");
}
let speaking = 0, linking = 0;
function go(wanted) {
  const target = clamp(Math.round(wanted) || 1, 1, game.last);
  if (target === line) return;
  const before = new Map(shown), forward = target === line + 1;
  line = target;
  const now = positionAt(line), touched = new Set();
  for (const [key, value] of now) {
    if (shown.get(key) === value) continue;
    const [kind, id] = [key[0], key.slice(2)];
    if (key.startsWith("a:")) { paintArea(id, value); touched.add(id); }
    else if (key.startsWith("s:")) paintSea(id, value);
    else if (key.startsWith("p:") && rowsOf.has(id)) showPower(id, value, forward ? before.get(key) : null);
    shown.set(key, value);
  }
  if (forward) for (const [key, value] of now)
    if (key.startsWith("p:") && before.get(key) === value && rowsOf.has(key.slice(2))) showPower(key.slice(2), value, null);
  showIndexes(now.get("indexes"), now.get("wars"));
  const here = (entriesOf.get(line) || []).map((n) => game.log[n]).filter((e) => !e[4]);
  const noted = [...game.review, ...game.comments].filter((r) => r.line === line).flatMap((r) => r.places);
  const marks = new Set([...noted, ...(forward ? touched : []), ...here.map((e) => e[3]).filter((p) => lands.has(p))]);
  $("changed").setAttribute("d", marks.size <= 12 ? outlines(marks) : "");
  const turn = turnAt(line), n = turnIndex(line);
  $("moment").replaceChildren(el("b", {}, String(turn.year)), `Game Turn ${turn.turn} of ${game.turn_count}, ${now.get("phase")} Phase`);
  const news = newsText();
  $("event").textContent = news || " ";
  const input = $("line");
  input.value = line;
  input.setAttribute("aria-valuetext", `${momentText()}, line ${line} of ${game.last}${news ? `: ${news}` : ""}`);
  $("back").disabled = $("turn-back").disabled = line <= 1;
  $("on").disabled = $("turn-on").disabled = line >= game.last;
  spaceYears(n);
  const start = turn.line, end = Math.max(start + 1, endOfTurn(n));
  for (const move of cursors) move(n + (line - start) / (end - start));
  for (const {dot} of rowsOf.values()) if (dot) dot(n);
  markLog();
  markRemarks();
  showAreas();
  if (picked) showCard(picked, false);
  clearTimeout(speaking);
  speaking = setTimeout(() => { $("live").textContent = `${momentText()}. ${news}`; }, 700);
  clearTimeout(linking);
  linking = setTimeout(() => { try { history.replaceState(null, "", `#line=${line}`); } catch { /* a page in a frame */ } }, 400);
}
function spaceYears(now) {
  const width = $("years").clientWidth, all = [...$("years").children];
  const at = (year) => parseFloat(year.style.left) * width / 100 + (year === all[0] ? 15 : 0); // the first begins there
  let last = -99;
  for (const [n, year] of all.entries()) {
    year.classList.toggle("now", n === now);
    const fits = at(year) - last >= 46 && (n === now || n > now || at(all[now]) - at(year) >= 38);
    year.hidden = n !== now && !fits;
    if (!year.hidden) last = at(year);
  }
}
const nextNews = () => newsLines.find((n) => n > line) || game.last;
const lastNews = () => newsLines.filter((n) => n < line).pop() || 1;
const nextTurn = () => (game.turns.find((t) => t.line > line) || {line: game.last}).line;
const lastTurn = () => (game.turns.filter((t) => t.line < line).pop() || {line: 1}).line;
let playing = 0;
const ICONS = {Play: "M4 2v12l9-6z", Stop: "M4 3h3v10H4zM9 3h3v10H9z"};
function showPlay(name) {
  $("play").setAttribute("aria-label", name);
  $("play").querySelector("path").setAttribute("d", ICONS[name]);
}
function stop() { clearInterval(playing); playing = 0; showPlay("Play"); }
function play() {
  if (playing) return stop();
  if (line >= game.last) go(1);
  showPlay("Stop");
  playing = setInterval(() => { go(nextNews()); if (line >= game.last) stop(); }, Number($("speed").value));
}
$("speed").onchange = () => { if (playing) { stop(); play(); } };
const moves = {back: () => go(lastNews()), on: () => go(nextNews()), "turn-back": () => go(lastTurn()), "turn-on": () => go(nextTurn())};
for (const [id, move] of Object.entries(moves)) $(id).onclick = () => { stop(); move(); };
$("play").onclick = play;
$("line").oninput = () => { stop(); go(Number($("line").value)); };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const inside = event.target.closest("input, select, textarea, summary, a, #map-scroll");
  const slider = event.target.id === "line";
  if (inside && !slider && !(inside.id === "map-scroll" && !event.key.startsWith("Arrow"))) {
    if (event.key === "Escape") { pick(""); }
    return;
  }
  if (event.key === " " && event.target.closest("button")) return;
  const list = event.target.id === "log-scroll";
  const act = {ArrowLeft: moves.back, ArrowRight: moves.on, PageUp: moves["turn-back"], PageDown: moves["turn-on"],
    Home: () => go(1), End: () => go(game.last), " ": play, "+": () => setZoom(zoom * 1.5), "-": () => setZoom(zoom / 1.5),
    Escape: () => pick(""), ...(list || slider ? {ArrowUp: moves.back, ArrowDown: moves.on} : {})}[event.key];
  if (!act) return;
  event.preventDefault();
  if (event.key !== " ") stop();
  act();
});

function buildTimeline() {
  $("line").max = game.last;
  const percent = (n) => `${game.last > 1 ? (n - 1) * 100 / (game.last - 1) : 0}%`;
  game.turns.forEach((turn, n) => {
    const year = styled(el("span", {}, String(turn.year)), {left: percent(turn.line)});
    year.dataset.n = n;
    $("years").append(year);
  });
  const remarks = [...game.review, ...game.comments].map((r) => [r.line, "◆", `${r.label} ${r.text}`]);
  for (const [at, sign, text] of [...game.chapters, ...remarks]) {
    const mark = styled(el("span", {title: text}, sign), {left: percent(at)});
    mark.onclick = () => go(at);
    $("marks").append(mark);
  }
}
function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("theme").textContent = dark ? "Light" : "Dark";
  $("theme").setAttribute("aria-pressed", String(dark));
}
const isDark = () => document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" :
  matchMedia("(prefers-color-scheme: dark)").matches;
$("theme").onclick = () => {
  setTheme(!isDark());
  try { localStorage.setItem("paxtui-theme", isDark() ? "dark" : "light"); } catch { /* not available for files */ }
};
function begin() {
  let kept = null;
  try { kept = localStorage.getItem("paxtui-theme"); } catch { /* not available for files */ }
  if (kept) setTheme(kept === "dark"); else $("theme").textContent = isDark() ? "Light" : "Dark";
  $("outcome").textContent = game.outcome;
  $("viewpoint").textContent = game.viewpoint;
  $("program").textContent = game.program;
  $("warning").textContent = game.warning;
  $("warning").hidden = !game.warning;
  for (const [sign, text] of [["○", "Interest"], ["●", "Influence"], ["◇", "Protectorate"], ["◆", "Possession"],
    ["★", "Dominion or State"], ["?", "not established (striped)"], ["!", "Unrest"], ["⚔", "Casus Belli"], ["=", "Canal"]])
    $("legend").append(el("li", {}, el("b", {}, sign), ` ${text}`));
  buildPowers();
  buildLog();
  buildRemarks("review", game.review);
  [$("review-title").textContent, $("review-note").textContent] = game.review_heading;
  buildRemarks("comments", game.comments);
  $("charts").append(...(game.chances ? [buildCurves(game.chances, true)] : []), ...game.charts.map((chart) => buildCurves(chart)),
    buildBars(game.sources));
  buildSpans();
  buildTimeline();
  past = items.length;
  filter();
  const linked = /^#line=(\d+)$/.exec(location.hash);
  go(linked ? Number(linked[1]) : game.last);
  if (matchMedia("(max-width: 700px)").matches) setZoom(2.6, $("map-scroll").clientWidth * 0.49, $("map-scroll").clientWidth * 0.26);
  else setZoom(1);
  addEventListener("resize", () => { setZoom(zoom); spaceYears(turnIndex(line)); });
  addEventListener("hashchange", () => { const to = /^#line=(\d+)$/.exec(location.hash); if (to) go(Number(to[1])); });
}
begin();
