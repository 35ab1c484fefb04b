// The walls stand: every file of the Worker and of its objects keeps to the rule of its room. A failure names the file,
// the line and what is wrong with it; the rules are in house.ts.
import { describe, expect, it } from "vitest";
import { clockReaders, divided, passages, rules } from "./house.ts";
import { inspect, roomOf, told, type Complaint } from "./inspect.ts";
import { read, sources, tree, under } from "./tree.ts";

const files = sources.filter((path) => ["src", "durable-objects", "sandbox"].some((folder) => under(folder)(path)));
const complaints = files.flatMap((path) => inspect(path, read(path)));

const excused = (complaint: Complaint) => isPassage(complaint) || readsClock(complaint);
const isPassage = ({ path, to }: Complaint) => passages.some((each) => each.from === path && each.to === to);
const readsClock = ({ path, to }: Complaint) => clockReaders.includes(path) && (to === "clock" || to === "chance");

describe("the rooms", () => {
  it.each([...new Set(files.map(roomOf))])("%s keeps to its walls", (room) => {
    const broken = complaints.filter((each) => roomOf(each.path) === room && !excused(each));
    expect(broken.map(told)).toEqual([]);
  });

  it("have no rule that is nobody's", () => {
    const unused = Object.keys(rules).filter((place) => !tree.some((path) => path === place || under(place)(path)));
    expect(unused).toEqual([]);
    expect(divided.filter((room) => rules[room] === undefined)).toEqual([]);
  });

  it.each(passages)("need the door from $from to $to", ({ from, to, because }) => {
    const used = complaints.some((each) => each.path === from && each.to === to);
    expect(used, `nobody goes through it any more (${because}): close it in house.ts`).toBe(true);
  });

  it.each(clockReaders)("need %s to read the clock", (path) => {
    expect(complaints.some((each) => each.path === path && readsClock(each))).toBe(true);
  });
});
