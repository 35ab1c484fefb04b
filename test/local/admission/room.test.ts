import { expect, it } from "vitest";
import { readOpenFiles, PERMITS_PER_ANSWER_MAX, objectsThatMayOpen } from "../../../scripts/local/admission/room.ts";

it("the file limit allows objects up to seven tenths of the limit", () => {
  const cases = [
    { open: 100, limit: 1_000, pending: 0, room: 120 },
    { open: 100, limit: 1_000, pending: 100, room: 20 },
    { open: 100, limit: 1_000, pending: 200, room: 0 },
    { open: 699, limit: 1_000, pending: 0, room: 0 },
    { open: 1_000, limit: 1_000, pending: 0, room: 0 },
    { open: 100, limit: 1_000_000, pending: 500, room: PERMITS_PER_ANSWER_MAX },
  ];
  for (const { open, limit, pending, room } of cases) expect(objectsThatMayOpen({ open, limit }, pending)).toBe(room);
});

it("without file counts the maximum is granted", () => {
  expect(objectsThatMayOpen(null, 10_000)).toBe(PERMITS_PER_ANSWER_MAX);
  expect(readOpenFiles(0)).toBeNull();
});

it.runIf(process.platform === "linux")("open files and their limit are read from the system", () => {
  const files = readOpenFiles(process.pid);
  expect(files?.open).toBeGreaterThan(2);
  expect(files?.limit).toBeGreaterThan(files?.open ?? Infinity);
});
