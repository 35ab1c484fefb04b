// The lockfile must serve everybody: it says by hash what each package is, names no place to get it from, and agrees
// with package.json, which pins every direct dependency to one version.
import { describe, expect, it } from "vitest";
import { read } from "./tree.ts";

type Entry = {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly bin?: object;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
type Direct = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  /** Of a package wherever it is; or, by package, of what that one asks for. */
  readonly overrides: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
};

const text = read("package-lock.json");
const { packages } = JSON.parse(text) as { packages: { readonly [path: string]: Entry } };
const manifest = JSON.parse(read("package.json")) as Direct;
const direct = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
/** Two packages of the name typescript in one folder would fight for the name `tsc`. */
const compilers = Object.keys(packages).filter((path) => nameOf(path) === "typescript");
// The entry without a path is this project itself.
const installed = Object.entries(packages).filter(([path, { link }]) => path !== "" && link !== true);

describe("the lockfile", () => {
  it("names no download address: .npmrc keeps it so", () => {
    expect(text).not.toMatch(/"resolved": "https?:/);
  });

  it("has the integrity of every package; where some lost it, make the file anew with npm install --package-lock-only", () => {
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual(
      [],
    );
  });

  it("has one compiler that is called tsc", () => {
    expect(compilers).toEqual(["node_modules/typescript"]);
    const alike = Object.entries(packages).filter(([, { bin }]) => bin !== undefined && "tsc" in bin);
    expect(alike.map(([path]) => path)).toEqual(["node_modules/typescript"]);
  });

  it("leaves no platform out: every optional dependency that a package names has its entry", () => {
    const names = new Set(installed.map(([path]) => nameOf(path)));
    const missing = installed.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !names.has(name))
        .map((name) => `${nameOf(path)} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("installs of each direct dependency the one version that package.json pins", () => {
    expect(direct.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(direct.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)).toEqual([]);
  });

  const overrides = Object.entries(manifest.overrides).filter(([, version]) => typeof version === "string");

  it.each(overrides)("has %s as package.json overrides it", (name, version) => {
    const found = installed.filter(([path]) => nameOf(path) === name).map(([, entry]) => entry.version);
    expect([...new Set(found)]).toEqual([version]);
  });
});

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
