// -- the life of an object, as each consumer sees it ----------------------------------------------------------------

// What is wrong in each state: nothing, what only the controller can cure ("soft"), or more.
function wrongStates(life) {
  return data.states.map((state, index) => {
    if (!life.lanes.some((lane) => lane.answers[index].wrong)) return "";
    return state.soft ? "soft" : "wrong";
  });
}

// What a life comes to, in two words and in a sentence.
function outcome(states) {
  const wrong = states.filter(Boolean);
  if (!wrong.length) return { short: "all right", long: "every answer is right" };
  if (wrong.every((one) => one === "soft")) {
    return { short: "up to controller", long: "right, if the controller writes a condition together with the generation" };
  }
  return { short: `${wrong.length} wrong`, long: `wrong answers in ${wrong.length} of ${states.length} states` };
}

function drawLife(row) {
  const charts = [chart("Now", data.lives[row.before])];
  if (row.after !== null) charts.push(chart("Once fixed", data.lives[row.after]));
  const why = data.hasFixes && row.after === null ? make("p", { class: "dim" }, "No fix of crdlint changes this.") : null;
  return [make("p", { class: "dim path" }, row.path), make("div", { class: "lives" }, charts), why, fileDiff(row.path)];
}

function fileDiff(path) {
  const hunks = data.diffs[path];
  if (!hunks) return null;
  return make("details", {}, make("summary", {}, "What all fixes of this file change"), diff(hunks));
}

function chart(title, life) {
  const moment = make("div", { class: "moment", hidden: true });
  const groups = [make("col", { class: "who" }), data.states.map(() => make("col"))];
  const head = data.states.map((state, index) => make("th", { scope: "col", class: state.branch ? "branch" : null },
    make("button", { type: "button", "aria-pressed": "false", title: state.meaning, onclick: (event) => showMoment(event.currentTarget, moment, life, index) }, state.label)));
  const truth = data.states.map((state) => make("td", { class: state.branch ? "branch" : null }, make("span", { class: "bar" }, state.truth)));
  return make("div", { class: "chart" },
    make("h3", {}, `${title} `, make("span", {}, outcome(wrongStates(life)).long)),
    make("table", { class: "drawing" }, make("colgroup", {}, groups),
      make("thead", {}, make("tr", {}, make("td"), head)),
      make("tbody", {}, make("tr", { class: "truth" }, make("th", { scope: "row" }, "actual state"), truth), life.lanes.map(lane))),
    moment);
}

function lane({ name, answers }) {
  const look = answers.map((answer, index) => {
    if (!answer.wrong) return answer.act;
    return answer.wrong === "never" ? "never" : data.states[index].soft ? "soft" : "early";
  });
  return make("tr", {}, make("th", { scope: "row" }, name), answers.map((answer, index) => {
    const state = data.states[index];
    const joinsLeft = index > 0 && !state.branch && look[index - 1] === look[index];
    const next = data.states[index + 1];
    const joinsRight = next !== undefined && !next.branch && look[index + 1] === look[index];
    const classes = `bar ${look[index]}${joinsLeft ? "" : " first"}${joinsRight ? "" : " last"}`;
    return make("td", { class: state.branch ? "branch" : null }, make("span", { class: classes, title: spoken(name, state, answer) }, barText(answer, joinsLeft)));
  }));
}

// A sign stays where there is no room for its word.
function barText(answer, joinsLeft) {
  const word = (text) => make("span", { class: "word" }, text);
  if (answer.wrong) return [SIGN.bad, word(answer.wrong === "never" ? "never" : "early")];
  if (joinsLeft || answer.act === "wait") return [];
  return { go: [SIGN.good], fail: [word("failed")], end: [word("ending")] }[answer.act];
}

function spoken(name, state, answer) {
  const wrong = answer.wrong ? `. Wrong: ${answer.wrong}` : "";
  return `${state.name}: ${name} says ${answer.says}${answer.why ? ` (${answer.why})` : ""}${wrong}`;
}

function showMoment(button, moment, life, index) {
  const open = button.getAttribute("aria-pressed") !== "true";
  for (const other of button.closest("tr").querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-pressed", String(open));
  moment.hidden = !open;
  const state = data.states[index];
  const answers = life.lanes.map((one) => {
    const answer = one.answers[index];
    const wrong = answer.wrong ? make("span", { class: "bad" }, ` ${SIGN.bad} ${answer.wrong}`) : null;
    return make("li", {}, make("b", {}, one.name), `: ${answer.says}`, answer.why ? ` \u2013 ${answer.why}` : "", wrong);
  });
  moment.replaceChildren(
    make("p", {}, make("b", {}, state.label), `: ${state.meaning}`),
    make("ul", {}, answers),
    make("pre", { class: "plain" }, data.texts[life.objects[index]]));
}
