// -- the numbers ----------------------------------------------------------------------------------------------------

function drawNumbers() {
  const n = data.numbers;
  const left = data.rows.filter((row) => (row.after === null ? row.race : data.lives[row.after].race)).length;
  const drawn = data.rows.filter((row) => row.before !== null).length;
  const tile = (value, text, kind = "") => make("li", { class: kind }, make("strong", {}, String(value)), text);
  const tiles = [
    tile(drawn ? `${n.races} of ${drawn}` : n.races,
      "versions with a status are taken as ready before any controller has seen the object",
      `wide ${n.races ? "bad" : "good"}`),
  ];
  if (n.races && data.hasFixes) tiles.push(tile(left, "of them are left once all fixes are made", left ? "warning" : "good"));
  tiles.push(
    tile(n.crds, `${n.crds === 1 ? "CRD" : "CRDs"}, ${count(n.versions, "version")}`),
    tile(n.errors, n.errors === 1 ? "error" : "errors", n.errors ? "bad" : "good"),
    tile(n.warnings, n.warnings === 1 ? "warning" : "warnings", n.warnings ? "warning" : "good"),
    tile(n.infos, "info"),
    tile(`${n.fixableSafe} + ${n.fixableUnsafe}`, "fixes: safe + unsafe"),
  );
  if (n.fixed) tiles.push(tile(n.fixed, "fixed in this run", "good"));
  byId("numbers").append(...tiles);
  byId("stake").textContent = data.stake;
}

// -- the readiness matrix -------------------------------------------------------------------------------------------

// Title and content of the two columns with the life of an object in small.
const LIFE_NOW = "Life now";
const LIFE_FIXED = "Once fixed";

function mark([kind, text]) {
  return make("span", { class: `mark ${kind}${text ? "" : " nothing"}` }, make("b", { "aria-label": kind }, SIGN[kind]), text);
}

// A cell says which column it is in, for where there are no columns.
const cell = (title, content, kind = null) => make("td", { "data-label": title, class: kind }, content);

function lifeCell(title, life, without) {
  if (life === null) return cell(title, without);
  const wrong = wrongStates(data.lives[life]);
  const names = data.states.filter((_, index) => wrong[index]).map((state) => state.label);
  const spoken = `${title}: ${names.length ? `wrong in ${names.join(", ")}` : "right in every state"}`;
  const bars = wrong.map((isWrong) => make("i", { class: isWrong || null }));
  return cell(title, [
    make("span", { class: "strip", title: spoken, role: "img", "aria-label": spoken }, bars),
    make("small", { class: "outcome" }, outcome(wrong).short)]);
}

function lifeCells(row) {
  const nothing = () => mark(["none", ""]);
  const cells = [lifeCell(LIFE_NOW, row.before, nothing())];
  const unchanged = row.before === null ? nothing() : make("span", { class: "outcome", title: "No fix of crdlint changes this." }, "unchanged");
  if (data.hasFixes) cells.push(lifeCell(LIFE_FIXED, row.after, unchanged));
  return cells;
}

function drawMatrix() {
  const lives = data.hasFixes ? [LIFE_NOW, LIFE_FIXED] : [LIFE_NOW];
  const head = ["CRD", "Version", ...lives, ...data.columns, "Findings"];
  byId("matrix").append(make("thead", {}, make("tr", {}, head.map((title) => make("th", { scope: "col" }, title)))));
  byId("matrix").append(...data.rows.map((row, index) => drawRow(row, index, head.length)));
  if (!data.rows.length) byId("readiness").hidden = true;
  byId("open-lives").hidden = !data.rows.some((row) => row.before !== null);
  const first = data.rows.find((row) => row.race && row.after !== null) || data.rows.find((row) => row.race);
  if (first) toggleLife(first, true);
}

// Does this version stand in other files too? Then only its path tells the rows apart.
const isCopied = (row) => data.rows.some((other) => other.crd === row.crd && other.version === row.version && other.path !== row.path);

function drawRow(row, index, width) {
  const found = data.findings.filter((finding) => finding.row === index).length;
  const canOpen = row.before !== null;
  const title = breakable(row.kind || row.crd || "a CRD without a name");
  const name = canOpen
    ? make("button", { type: "button", "aria-expanded": "false", onclick: () => toggleLife(row) }, title)
    : make("span", { class: "plain" }, title);
  const versions = [make("code", {}, row.version || "?"), row.storage ? make("span", { class: "tag" }, "storage") : null];
  const copied = isCopied(row);
  const show = () => showOnly({ text: copied ? row.path : "", crd: row.crd ? `${row.crd} ${row.version}`.trim() : "" });
  row.width = width;
  row.node = make("tbody", { class: "version" }, make("tr", {},
    make("td", { class: "name", title: row.path }, name,
      make("small", { class: "dim" }, breakable(row.crd || "")),
      copied ? make("small", { class: "dim path" }, breakable(row.path)) : null),
    cell("Version", versions, "version-name"),
    lifeCells(row),
    row.cells.map((one, column) => cell(data.columns[column], mark(one))),
    cell("Findings", found ? make("button", { type: "button", class: "count", onclick: show }, String(found)) : mark(["none", ""])),
  ));
  row.isWrong = row.cells.some(([kind]) => kind === "bad") || found > 0;
  return row.node;
}

function toggleLife(row, open = !row.node.classList.contains("open")) {
  if (row.before === null) return;
  row.node.classList.toggle("open", open);
  row.node.querySelector("button").setAttribute("aria-expanded", String(open));
  if (open && !row.drawn) {
    row.drawn = make("tr", { class: "life" }, make("td", { colspan: row.width }, drawLife(row)));
    row.node.append(row.drawn);
  }
  if (row.drawn) row.drawn.hidden = !open;
}

function drawLegend() {
  const bar = (look, sign, text) => make("span", {}, make("i", { class: `bar first last ${look}` }, sign), text);
  byId("legend").append(
    bar("wait", "", "waits"),
    bar("go", SIGN.good, "goes on, and should"),
    bar("early", SIGN.bad, "goes on too early"),
    bar("soft", SIGN.bad, "too early, unless the controller writes a condition together with the generation"),
    bar("never", SIGN.bad, "waits, and should go on"),
    bar("fail", "", "reports the failure"),
    bar("end", "", "reports the deletion"),
    make("span", {}, "kstatus decides for Flux, Helm 4 and kpt"));
  const piece = (look, text) => make("span", {}, make("span", { class: "strip" }, make("i", { class: look })), text);
  byId("life-legend").append(
    make("span", {}, `${LIFE_NOW}: a bar for each state, from ${data.states[0].label} to ${data.states.at(-1).label}`),
    piece(null, "every answer right"), piece("wrong", "some answer wrong"), piece("soft", "up to the controller"));
  byId("words").hidden = !data.words.length;
  byId("words").append(make("dl", {}, data.words.map(([word, meaning]) => [make("dt", {}, word), make("dd", {}, meaning)])));
}
