// Log levels: which log lines of each component the engine writes, parsed from the variable LOG_LEVELS.

export const logLevels = ["debug", "info", "warn", "error", "off"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * actions: the lines of attempts. worker: all other lines of the Worker. execution: cells. reconciler: blocked ticks.
 * The others are the objects with these names.
 */
const objects = ["recurring", "operation", "trigger", "directory"] as const;
export const logComponents = ["actions", "worker", "execution", "reconciler", ...objects] as const;
export type LogComponent = (typeof logComponents)[number];

export type LogLevels = { readonly [component in LogComponent | "default"]?: LogLevel };
type Line = { readonly [field: string]: unknown };
export type WriteLine = (line: Line) => void;

/** Parses `default=info,reconciler=debug`. Returns null if any part is invalid. */
export function parseLogLevels(text: string): LogLevels | null {
  const levels: { [component: string]: LogLevel } = {};
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const [name = "", said = "", ...rest] = part.split("=").map((each) => each.trim());
    const level = logLevels.find((each) => each === said);
    const isKnown = name === "default" || logComponents.some((component) => component === name);
    if (level === undefined || !isKnown || rest.length > 0 || Object.hasOwn(levels, name)) return null;
    levels[name] = level;
  }
  return levels;
}

/** Texts that this isolate has already reported as invalid. Several objects and the Worker read the same variable. */
const reported = new Set<string>();

/** Returns a function that writes the lines of a component from its level on. An invalid text means the default. */
export function openLog(text: string | undefined, component: LogComponent, write: WriteLine): WriteLine {
  const parsed = parseLogLevels(text ?? "");
  if (parsed === null && text !== undefined && !reported.has(text)) {
    reported.add(text);
    const message = `LOG_LEVELS is invalid, so all components log from the level info. Write component=level, separated by commas. Components: default, ${logComponents.join(", ")}. Levels: ${logLevels.join(", ")}.`;
    write({ level: "warn", event: "log_levels_invalid", value: text.slice(0, VALUE_CHARS_MAX), message });
  }
  const least = rankOf(levelOf(parsed ?? {}, component));
  return (line) => {
    if (rankOf(line["level"]) >= least) write(line);
  };
}

/** Whether lines of this level are written. A component can then avoid to compute them. */
export function isLogged(text: string | undefined, component: LogComponent, level: LogLevel): boolean {
  return rankOf(level) >= rankOf(levelOf(parseLogLevels(text ?? "") ?? {}, component));
}

/** The length at which an invalid value is cut in its log line. */
const VALUE_CHARS_MAX = 200;

/** The level of the component. Lines of attempts have their own variable, LOG_ACTIONS, so all of them pass by default. */
function levelOf(levels: LogLevels, component: LogComponent): LogLevel {
  return levels[component] ?? (component === "actions" ? "debug" : (levels.default ?? "info"));
}

/** A line without a known level counts as info. */
function rankOf(level: unknown): number {
  const rank = logLevels.findIndex((each) => each === level);
  return rank === -1 ? logLevels.indexOf("info") : rank;
}
