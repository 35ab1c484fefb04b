// Tests of message files: sources, names, limits, and the report of each failure.
import { afterEach, describe, expect, it, vi } from "vitest";
import { fileSourceFields, fileSourceIssue, type FileSource } from "#runners/http/file-source.ts";
import { fileMemory } from "#runners/core/file-memory.ts";
import { withFiles, type FilesAsk, type LoadedFile } from "#runners/http/files.ts";
import type { RunnerContext } from "#runners/core/runner.ts";
import { FILES_BYTES_MAX, FILES_WITHIN_MS } from "#schema/limits/outgoing/files.ts";
import { cutOff, deaf, hangs, resets, ticketFor, world, type Answer } from "#test/runners/world.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const ADDRESS = "https://files.example.com/2026/invoice%2042.pdf?token=canary-7f3a9c51e2";
const serves =
  (text: string, headers: Record<string, string> = {}, status = 200): Answer =>
  () =>
    new Response(text, { status, headers });

function contextFor(answer: Answer, over: Partial<RunnerContext> = {}) {
  const surroundings = world(answer);
  const signal = new AbortController().signal;
  return { ...surroundings, ticket: ticketFor("email", {}), signal, ...over };
}

async function load(
  files: readonly FileSource[],
  answer: Answer,
  over: Partial<RunnerContext> = {},
  ask: Partial<FilesAsk> = {},
) {
  const context = contextFor(answer, over);
  const used: LoadedFile[][] = [];
  const given = await withFiles({ files, field: "attachments", ...ask }, context, async (loaded) => {
    used.push([...loaded]);
    return { ok: true as const };
  });
  const error = "error" in given ? given.error : null;
  return { error, given, files: used[0] ?? null, calls: context.calls };
}

const stored = (
  text: string,
  over: { disposition?: string; type?: string; bytes?: number } = {},
): RunnerContext["files"] => ({
  read: async (key) =>
    key === "terms.pdf"
      ? {
          body: new Response(text).body ?? new ReadableStream(),
          bytes: over.bytes ?? text.length,
          type: over.type ?? null,
          disposition: over.disposition ?? null,
        }
      : null,
});

describe("a file", () => {
  it("comes from the config, a URL or the bucket", async () => {
    const sources = [{ content: "aGk=" }, { url: ADDRESS, headers: { "X-Key": "k" } }, { r2: { key: "terms.pdf" } }];
    const answer = serves("%PDF", { "Content-Type": "Application/PDF; v=1", "Content-Length": "4" });
    const { files, calls } = await load(sources, answer, { files: stored("terms") });
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    expect(files?.map(({ bytes, ...rest }) => ({ ...rest, text: text(bytes) }))).toEqual([
      { text: "hi", filename: null, type: null },
      { text: "%PDF", filename: "invoice 42.pdf", type: "application/pdf" },
      { text: "terms", filename: "terms.pdf", type: null },
    ]);
    expect(calls.map(({ url, init, request }) => [url, init.redirect, request.headers.get("x-key")])).toEqual([
      [ADDRESS, "manual", "k"],
    ]);
  });

  it.each([
    ['attachment; filename="a b.pdf"', "a b.pdf"],
    ["attachment; filename=a.pdf; size=3", "a.pdf"],
    ["attachment; filename=\"x.pdf\"; filename*=UTF-8''%C3%BCber.pdf", "über.pdf"],
    ['attachment; filename="..\\\\..\\\\etc/passwd"', "passwd"],
    ["attachment; filename*=utf-8''a%E2%80%AEfdp.exe", "afdp.exe"],
    ['attachment; filename=".."', "invoice 42.pdf"],
    ["inline", "invoice 42.pdf"],
  ])("with %j has the name %s", async (disposition, filename) => {
    const answer = serves("x", { "Content-Disposition": disposition });
    const { files } = await load([{ url: ADDRESS }], answer);
    expect(files?.[0]?.filename).toBe(filename);
  });

  it.each<[FileSource, string | undefined]>([
    [{}, "content"],
    [{ content: "aGk=", url: ADDRESS }, "content"],
    [{ url: ADDRESS, r2: { key: "a" } }, "content"],
    [{ content: "aGk=", headers: { a: "b" } }, "headers"],
    [{ url: ADDRESS, headers: { a: "b" } }, undefined],
  ])("with %j has the size limit checked by %s", (source, field) => {
    expect(fileSourceIssue(source)?.[0]).toBe(field);
    expect(Object.keys(fileSourceFields)).toEqual(expect.arrayContaining(Object.keys(source)));
  });
});

describe("a file that cannot be fetched", () => {
  it.each<[string, Answer, object]>([
    ["404", serves("", {}, 404), { type: "not_found", retryable: false, code: "file_not_found" }],
    ["410", serves("", {}, 410), { type: "not_found", retryable: false, code: "file_not_found" }],
    ["403", serves("", {}, 403), { type: "authorization_failed", retryable: false, code: "file_refused" }],
    [
      "302",
      serves("", { Location: ADDRESS }, 302),
      { type: "malformed_request", retryable: false, code: "file_refused" },
    ],
    ["503", serves("", {}, 503), { type: "service_unavailable", retryable: true, code: "file_unavailable" }],
    ["429", serves("", {}, 429), { type: "rate_limit", retryable: true, code: "file_unavailable" }],
    ["a reset", resets, { type: "network_error", retryable: true, code: "file_unavailable" }],
    ["a break", () => cutOff("%PD", "breaks"), { type: "network_error", retryable: true, code: "file_unavailable" }],
    [
      "less than announced",
      serves("%PD", { "Content-Length": "4" }),
      { type: "network_error", retryable: true, code: "file_unavailable" },
    ],
    [
      "more than announced",
      serves("%PDF-", { "Content-Length": "4" }),
      { type: "network_error", retryable: true, code: "file_unavailable" },
    ],
    ["nothing in it", serves(""), { type: "invalid_configuration", retryable: false, code: "file_empty" }],
    ["204", () => new Response(null, { status: 204 }), { type: "invalid_configuration", code: "file_empty" }],
    ["202", serves('{"status":"made"}', {}, 202), { type: "service_unavailable", code: "file_unavailable" }],
    ["206", serves("%P", {}, 206), { type: "unknown_error", retryable: false, code: "file_refused" }],
  ])("because of %s is named, and nothing is sent", async (_, answer, expected) => {
    const { error, files } = await load([{ content: "aGk=" }, { url: ADDRESS }], answer);
    expect([error, files]).toMatchObject([expected, null]);
    expect(error?.message).toMatch(/^attachments\.1: /);
    expect(JSON.stringify(error)).not.toContain("canary");
  });

  it("returns its server's Retry-After", async () => {
    const { given } = await load([{ url: ADDRESS }], serves("", { "Retry-After": "7" }, 503));
    expect(given).toMatchObject({ retryAfterMs: 7_000 });
  });

  it("is reported without the secrets of its URL and headers", async () => {
    const { error } = await load(
      [{ url: ADDRESS, headers: { Authorization: "Bearer hidden-42" } }],
      ({ url, request }) => {
        throw new Error(`cannot get ${url} with ${request.headers.get("authorization")}`);
      },
    );
    expect(error?.message).toContain("cannot get");
    expect(JSON.stringify(error)).not.toMatch(/canary|hidden-42/);
  });

  it.each(["http://files.example.com/a", "https://10.0.0.1/a", "https://169.254.169.254/a"])(
    "from %s is not requested",
    async (url) => {
      const { error, calls } = await load([{ url }], serves("x"));
      expect([error, calls]).toMatchObject([{ code: "egress_refused", retryable: false }, []]);
      expect(error?.message).toMatch(/^attachments\.0\.url: /);
    },
  );

  it("is reported if it is missing in the bucket, unreadable, or no bucket is bound", async () => {
    const file = { r2: { key: "nope.pdf" } };
    const ask = async (files: RunnerContext["files"]) => (await load([file], deaf, { files })).error;
    expect(await ask(stored("x"))).toMatchObject({ code: "file_not_found", type: "not_found", retryable: false });
    expect(await ask(undefined)).toMatchObject({ code: "files_not_bound", type: "invalid_configuration" });
    const breaks = { read: () => Promise.reject(new Error("R2 is away")) };
    expect(await ask(breaks)).toMatchObject({ code: "file_unavailable", retryable: true });
  });
});

describe("the limits", () => {
  const huge = String(FILES_BYTES_MAX + 1);

  it("apply before reading if a length is announced, otherwise while reading", async () => {
    const announced = await load([{ url: ADDRESS }], serves("x", { "Content-Length": huge }));
    expect(announced.error).toMatchObject({ code: "files_too_large", type: "invalid_configuration", retryable: false });
    expect(announced.error?.message).toMatch(namingPattern(huge, FILES_BYTES_MAX, "FILES_BYTES_MAX"));
    const unannounced = await load(
      [{ content: "aGk=" }, { url: ADDRESS }],
      serves("x".repeat(9)),
      {},
      { bytesMax: 10 },
    );
    expect(unannounced.error).toMatchObject({ code: "files_too_large" });
    expect(
      (await load([{ content: "aGk=" }, { url: ADDRESS }], serves("x".repeat(8)), {}, { bytesMax: 10 })).error,
    ).toBeNull();
    const inBucket = await load([{ r2: { key: "terms.pdf" } }], deaf, {
      files: stored("x", { bytes: FILES_BYTES_MAX + 1 }),
    });
    expect(inBucket.error).toMatchObject({ code: "files_too_large" });
  });

  it("allow twenty fetched files per message", async () => {
    const many = Array.from({ length: 21 }, () => ({ url: ADDRESS }));
    expect((await load(many, serves("x"))).error).toMatchObject({ code: "too_many_files" });
    expect((await load(many.slice(1), serves("x"))).files).toHaveLength(20);
  });

  afterEach(() => void vi.useRealTimers());

  it.each([
    ["headers that never come", hangs],
    ["a body that never ends", () => cutOff("%PD", "hangs")],
  ])("end the wait for %s", async (_, answer) => {
    vi.useFakeTimers();
    const loading = load([{ url: ADDRESS }], answer);
    await vi.advanceTimersByTimeAsync(FILES_WITHIN_MS);
    const { error, files } = await loading;
    expect([error, files]).toMatchObject([{ type: "timeout", retryable: true, code: "file_timeout" }, null]);
    expect(error?.message).toMatch(/^attachments: /);
  });

  it("end with the attempt", async () => {
    const attempt = new AbortController();
    const loading = load([{ url: ADDRESS }], hangs, { signal: attempt.signal });
    attempt.abort();
    expect((await loading).error).toMatchObject({ code: "file_timeout", retryable: true });
  });

  it("close all streams after a file that cannot be fetched", async () => {
    let canceled = 0;
    const open = () => new Response(new ReadableStream({ cancel: () => void canceled++ }));
    const { error } = await load([{ url: `${ADDRESS}&n=1` }, { url: ADDRESS }], ({ url }) =>
      url === ADDRESS ? new Response(null, { status: 404 }) : open(),
    );
    expect([error?.code, canceled]).toEqual(["file_not_found", 1]);
  });
});

it("memory is reserved for large files only, and released after sending or an error", async () => {
  const reservedBytes: number[] = [];
  const inner = fileMemory(async () => undefined);
  let released = 0;
  const memory: typeof inner = {
    reserve: async (share, call) => {
      reservedBytes.push(share.bytes);
      const reservation = await inner.reserve(share, call);
      return reservation === null ? null : { ...reservation, release: () => (released++, reservation.release()) };
    },
  };
  const text = "x".repeat(200_000);
  const context = () => contextFor(serves(text, { "Content-Length": String(text.length) }), { fileMemory: memory });
  const ask = { files: [{ url: ADDRESS }], field: "attachments" };
  await withFiles(ask, context(), async () => null);
  await expect(withFiles(ask, context(), () => Promise.reject(new Error("broke")))).rejects.toThrow("broke");
  await withFiles({ ...ask, files: [{ content: "aGk=" }] }, context(), async () => null);
  expect([reservedBytes, released]).toEqual([[200_000, 200_000], 2]);
});
