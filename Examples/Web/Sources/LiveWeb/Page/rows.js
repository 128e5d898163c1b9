// The sections and rows. All texts are set as texts: a value is never taken for markup.

const stages = ["Doing", "Waiting", "Done"];
const signs = { inserted: "+", moved: "↕", changed: "•" };
const markTime = 1500;

function make(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** A job's row: what the server says, what this person has just done, and a conflict between the two. */
class Row {
  constructor(board, job) {
    this.board = board;
    this.job = job;
    this.wishes = {};
    this.updates = 0;
    this.line = Promise.resolve();
    this.build();
    this.draw();
  }

  build() {
    this.element = make("li", "job");
    this.element.tabIndex = -1;
    this.urgency = make("span", "urgency");
    this.urgency.title = "Urgency";
    const text = make("span");
    this.mark = make("span", "mark");
    this.mark.setAttribute("aria-hidden", "true");
    this.title = make("span", "title");
    this.title.dir = "auto";
    text.append(this.mark, this.title);
    this.text = text;
    const actions = make("span", "actions");
    const add = (label, text, act) => {
      const button = make("button", "", text);
      button.type = "button";
      button.tabIndex = -1;
      button.setAttribute("aria-label", label);
      button.title = label;
      button.addEventListener("click", () => { this.board.select(this); act(); });
      actions.append(button);
    };
    add("Less urgent", "−", () => this.urge(-1));
    add("More urgent", "+", () => this.urge(1));
    add("Next stage", "→", () => this.moveOn());
    add("Rename", "✎", () => this.rename());
    add("Delete", "×", () => this.delete());
    this.element.append(this.urgency, text, actions);
    this.element.addEventListener("keydown", (event) => this.press(event));
    this.element.addEventListener("focus", () => this.board.select(this));
    this.title.addEventListener("dblclick", () => this.rename());
  }

  /** A value as this person sees it. */
  value(name) { return name in this.wishes ? this.wishes[name] : this.job[name]; }

  draw() {
    this.title.textContent = this.value("title");
    this.urgency.textContent = this.value("urgency");
    this.element.classList.toggle("pending", Object.keys(this.wishes).length > 0);
    this.element.setAttribute("aria-label",
      `${this.value("title")}, urgency ${this.value("urgency")}, ${stages[this.value("stage")]}`);
    this.board.filter(this);
  }

  /** Takes what the server says. */
  update(job) {
    const wasEditing = this.field && job.title !== this.seen;
    this.job = job;
    this.updates += 1;
    this.draw();
    if (wasEditing) this.board.say(`Somebody else has renamed this job to “${job.title}”.`);
  }

  show(mark) {
    this.element.dataset.mark = mark;
    this.mark.textContent = signs[mark];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { delete this.element.dataset.mark; }, markTime);
  }

  press(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      "ArrowUp": () => this.board.move(this, -1), "ArrowDown": () => this.board.move(this, 1),
      "k": () => this.board.move(this, -1), "j": () => this.board.move(this, 1),
      "Home": () => this.board.focusFirst(), "End": () => this.board.focusLast(),
      "Enter": () => this.rename(), "F2": () => this.rename(), " ": () => this.moveOn(),
      "+": () => this.urge(1), "=": () => this.urge(1), "-": () => this.urge(-1), "Delete": () => this.delete(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  }

  urge(amount) {
    const urgency = Math.max(0, Math.min(99, this.value("urgency") + amount));
    if (urgency !== this.value("urgency")) this.wish("urgency", urgency, this.value("urgency"));
  }

  moveOn() { this.wish("stage", (this.value("stage") + 1) % stages.length, this.value("stage")); }

  // Renaming

  rename() {
    if (this.field) return this.field.focus();
    this.seen = this.value("title");
    const field = make("input");
    field.value = this.seen;
    field.maxLength = 200;
    field.setAttribute("aria-label", "Title");
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.endRenaming(true);
      else if (event.key === "Escape") this.endRenaming(false);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.field = field;
    this.text.replaceWith(field);
    field.focus();
    field.select();
  }

  endRenaming(isKept) {
    const title = this.field.value;
    const seen = this.seen;
    this.field.replaceWith(this.text);
    this.field = null;
    this.element.focus();
    if (isKept && title !== seen) this.wish("title", title, seen);
  }

  // Edits: shown at once, and sent one after the other.

  wish(name, to, from) {
    this.wishes[name] = to;
    this.draw();
    this.line = this.line.then(() => this.send(name, to, from));
  }

  async send(name, to, from) {
    const updates = this.updates;
    const answer = await this.board.post("/change", { id: this.job.id, [name]: { from, to } });
    if (this.wishes[name] === to) delete this.wishes[name];
    // An event that came meanwhile is as new as the answer, or newer.
    if (this.updates === updates && answer.status === 200) this.job = answer.body;
    if (this.updates === updates && answer.status === 409) this.job = answer.body.job;
    this.draw();
    if (answer.status === 409) this.showConflict(name, answer.body.job, to);
    else if (answer.status === 410) this.board.say(answer.body.message);
    else if (answer.status !== 200) this.board.say(answer.body.message ?? "That could not be saved. Try again.");
  }

  /** Deletes the job if its title is still the one that this person sees. An edit that is on its way comes first. */
  delete(title = this.value("title")) {
    const id = this.job.id;
    this.isDeleting = true;
    this.line = this.line.then(async () => {
      const updates = this.updates;
      const answer = await this.board.post("/delete", { id, title });
      this.isDeleting = answer.status === 204;
      // As after an edit.
      if (this.updates === updates && answer.status === 409) this.update(answer.body.job);
      if (answer.status === 409) this.showConflict("deletion", answer.body.job);
      else if (answer.status !== 204) this.board.say(answer.body.message ?? "That could not be deleted. Try again.");
    });
  }

  // Conflicts

  /** Shows the job that was in the way. Events may not have brought it yet. */
  showConflict(name, job, mine) {
    const value = (value) => name === "stage" ? stages[value] : `${value}`;
    const unsaved = name === "deletion" ? null : value(mine);
    // An event may have removed the row meanwhile.
    if (this.board.rows.get(this.job.id) !== this) return this.board.tellLoss(unsaved);
    this.conflict?.remove();
    const box = make("div", "conflict");
    box.setAttribute("role", "alert");
    const text = make("p");
    const theirs = name === "deletion" ? job.title : job[name];
    text.append(make("strong", "", "Conflict. "), `Somebody else has changed this to “${value(theirs)}”`,
      name === "deletion" ? " while you deleted it." : ` while you wrote “${value(mine)}”.`);
    const choices = make("div", "choices");
    const add = (className, label, act) => {
      const button = make("button", className, label);
      button.type = "button";
      button.addEventListener("click", () => { this.closeConflict(); act(); });
      choices.append(button);
    };
    add("", "Keep theirs", () => {});
    if (name === "deletion") add("main", "Delete it", () => this.delete(theirs));
    else add("main", "Save mine", () => this.wish(name, mine, theirs));
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.closeConflict();
    });
    box.append(text, choices);
    this.conflict = box;
    this.unsaved = unsaved;
    this.element.append(box);
    // Whoever types somewhere else by now is not interrupted.
    if (!document.activeElement.matches("input")) choices.firstChild.focus();
  }

  closeConflict() {
    this.conflict.remove();
    this.conflict = this.unsaved = null;
    this.element.focus();
  }

  /** What this person has written and not saved, or null. */
  get unsavedText() { return this.isDeleting ? null : this.field ? this.field.value : this.unsaved ?? null; }
}

/** The list. */
export class Board {
  constructor(element, empty, say) {
    Object.assign(this, { element, empty, say, sections: [], rows: new Map(), query: "", selected: null });
  }

  async post(path, body) {
    try {
      const response = await fetch(path, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
        // A browser has six connections to a server, and each open page keeps one: with six pages, this one waits.
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      let parsed = {};
      try { parsed = text ? JSON.parse(text) : {}; } catch { /* An answer of somebody in between. */ }
      return { status: response.status, body: parsed.error ?? parsed };
    } catch {
      return { status: 0, body: { message: "The server does not answer. Close other pages of it, or try again." } };
    }
  }

  // What the server tells

  showAll(sections) {
    this.keepingFocus(() => {
      const old = this.rows;
      this.rows = new Map();
      for (const section of this.sections) section.element.remove();
      this.sections = sections.map((section) => this.section(section, old));
      this.element.append(...this.sections.map((section) => section.element));
      for (const [id, row] of old) if (!this.rows.has(id)) this.tellLoss(row.unsavedText);
    });
  }

  /** Says what was being written, or null, in a row that is gone. */
  tellLoss(text) {
    if (text !== null) this.say(`Somebody else has deleted this job while you wrote “${text}”.`);
  }

  section({ title, jobs }, old = this.rows) {
    const section = { title, element: make("section"), list: make("ul"), rows: [] };
    section.heading = make("h2", "", title);
    section.count = make("span", "count");
    section.heading.append(" ", section.count);
    section.element.append(section.heading, section.list);
    for (const job of jobs) this.place(section, section.rows.length, job, old);
    return section;
  }

  place(section, index, job, old = this.rows) {
    let row = old.get(job.id);
    if (row) row.update(job); else row = new Row(this, job);
    this.rows.set(job.id, row);
    const next = section.rows[index]?.element ?? null;
    section.rows.splice(index, 0, row);
    section.list.insertBefore(row.element, next);
    return row;
  }

  /** As a collection view does: what goes by its old place, from the end; then what comes by its new place. */
  apply(steps) {
    this.keepingFocus(() => {
      const descending = (a, b) => b[0] - a[0] || b[1] - a[1];
      const leaving = new Set(steps.deleted.map(String));
      const arriving = new Set([
        ...steps.insertedSections.flatMap((section) => section.jobs), ...steps.inserted.map((row) => row.job),
        ...steps.moved.map((move) => move.job),
      ].map((job) => job.id));
      for (const path of [...steps.deleted, ...steps.moved.map((move) => move.from)].sort(descending)) {
        const [row] = this.sections[path[0]].rows.splice(path[1], 1);
        if (leaving.has(String(path)) && !arriving.has(row.job.id)) this.remove(row);
      }
      for (const index of [...steps.deletedSections].sort((a, b) => b - a)) {
        const [section] = this.sections.splice(index, 1);
        for (const row of section.rows) if (!arriving.has(row.job.id)) this.remove(row);
        section.element.remove();
      }
      for (const contents of steps.insertedSections) {
        const known = new Set(contents.jobs.map((job) => job.id).filter((id) => this.rows.has(id)));
        const section = this.section(contents);
        this.element.insertBefore(section.element, this.sections[contents.index]?.element ?? null);
        this.sections.splice(contents.index, 0, section);
        for (const row of section.rows) row.show(known.has(row.job.id) ? "moved" : "inserted");
      }
      const ascending = (a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1];
      const coming = [
        ...steps.inserted.map((row) => ({ ...row, mark: this.rows.has(row.job.id) ? "moved" : "inserted" })),
        ...steps.moved.map((move) => ({ at: move.to, job: move.job, mark: "moved" })),
      ];
      for (const { at, job, mark } of coming.sort(ascending)) this.place(this.sections[at[0]], at[1], job).show(mark);
      for (const { at, job } of steps.reloaded) {
        const row = this.sections[at[0]].rows[at[1]];
        row.update(job);
        if (!row.element.dataset.mark) row.show("changed");
      }
    });
  }

  remove(row) {
    this.rows.delete(row.job.id);
    this.tellLoss(row.unsavedText);
    const ghost = make("li", "ghost");
    ghost.setAttribute("aria-hidden", "true");
    ghost.textContent = `− ${row.job.title}`;
    row.element.replaceWith(ghost);
    setTimeout(() => ghost.remove(), markTime);
  }

  /** An element that moves loses the focus. It gets it back; one that goes leaves it to its neighbour. */
  keepingFocus(change) {
    const active = document.activeElement;
    const row = active.closest?.("li.job") ? this.selected : null;
    const place = row ? this.visible().indexOf(row) : -1;
    const selection = active.matches?.("input") ? [active.selectionStart, active.selectionEnd] : null;
    change();
    this.drawCounts();
    if (!row || document.activeElement === active) return this.keepOneTabStop();
    if (document.contains(active)) {
      active.focus();
      if (selection) active.setSelectionRange(...selection);
    } else {
      const rows = this.visible();
      (rows[Math.min(place, rows.length - 1)]?.element ?? document.getElementById("new")).focus();
    }
    this.keepOneTabStop();
  }

  // Selecting: the Tab key stops at one row, arrows go on from there.

  visible() { return this.sections.flatMap((section) => section.rows).filter((row) => !row.element.hidden); }

  select(row) {
    if (this.selected) this.setTabStop(this.selected, -1);
    this.selected = row;
    this.setTabStop(row, 0);
  }

  setTabStop(row, index) {
    row.element.tabIndex = index;
    for (const button of row.element.querySelectorAll(".actions button")) button.tabIndex = index;
  }

  keepOneTabStop() {
    const rows = this.visible();
    if (rows.length > 0 && !rows.includes(this.selected)) this.select(rows[0]);
  }

  move(row, distance) {
    const rows = this.visible();
    rows[rows.indexOf(row) + distance]?.element.focus();
  }

  focusFirst() { (this.visible()[0]?.element ?? document.getElementById("new")).focus(); }
  focusLast() { this.visible().at(-1)?.element.focus(); }

  // Searching

  search(text) {
    this.query = text.trim().toLocaleLowerCase();
    for (const row of this.rows.values()) this.filter(row);
    this.drawCounts();
    this.keepOneTabStop();
  }

  filter(row) {
    row.element.hidden = this.query !== "" && !row.value("title").toLocaleLowerCase().includes(this.query)
      && !row.conflict && !row.field;
  }

  drawCounts() {
    for (const section of this.sections) {
      const count = section.rows.filter((row) => !row.element.hidden).length;
      section.count.textContent = `(${count})`;
      section.element.hidden = count === 0 && !section.list.querySelector(".ghost");
    }
    this.empty.hidden = this.visible().length > 0;
    this.empty.textContent = this.rows.size > 0 ? "Nothing found." : "No jobs yet. Add one above.";
  }
}
