// The page: the list as the server tells it, and what a person does with it.
import { Board } from "./rows.js";

const element = (id) => document.getElementById(id);
const board = new Board(element("board"), element("empty"), say);

let quiet;
/** Says something for a moment, also to those who do not see it. */
function say(text) {
  element("news").textContent = text;
  clearTimeout(quiet);
  quiet = setTimeout(() => { element("news").textContent = ""; }, 5000);
}

// The browser connects again by itself, and tells the server the last event that it has.
const events = new EventSource("/events");
const connection = element("connection");
function show(isLive) {
  connection.textContent = isLive ? "Live" : "Connecting again…";
  connection.classList.toggle("live", isLive);
}
events.addEventListener("open", () => show(true));
events.addEventListener("error", () => {
  show(false);
  // A server that was away for long, or that refused.
  if (events.readyState === EventSource.CLOSED) connection.textContent = "Not connected. Load the page again.";
});
events.addEventListener("all", (event) => board.showAll(JSON.parse(event.data)));
events.addEventListener("steps", (event) => board.apply(JSON.parse(event.data)));

element("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = element("new");
  const title = field.value;
  if (!title.trim()) return;
  field.value = "";
  const answer = await board.post("/add", { title });
  if (answer.status === 200) return say("Added.");
  say(answer.body.message ?? "That could not be added.");
  if (!field.value) field.value = title;
});
element("new").addEventListener("keydown", (event) => {
  if (event.key === "Escape") board.focusFirst();
});

element("search").addEventListener("input", (event) => board.search(event.target.value));
element("search").addEventListener("keydown", (event) => {
  if (event.key === "Escape") { event.target.value = ""; board.search(""); }
  if (event.key === "Enter" || event.key === "Escape" || event.key === "ArrowDown") {
    event.preventDefault();
    board.focusFirst();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") { event.preventDefault(); element("search").focus(); }
  else if (event.key === "n" || event.key === "N") { event.preventDefault(); element("new").focus(); }
  else if (event.key === "ArrowDown" && !event.target.closest("li")) { event.preventDefault(); board.focusFirst(); }
});
