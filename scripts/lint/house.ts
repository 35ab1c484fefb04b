// The lint rules of this house that oxlint does not bring along. Knows syntax only: no types, no other file.
type Place = { readonly type: string };
type SwitchCase = Place & { readonly test: Place | null };
type Context = { readonly report: (found: { readonly message: string; readonly node: Place }) => void };

/** With a default arm the compiler no longer finds the arm that is missing when a union has grown. */
const noSwitchDefault = {
  create: (context: Context) => ({
    SwitchCase(node: SwitchCase) {
      if (node.test === null) context.report({ message: SWITCH_DEFAULT, node });
    },
  }),
};

const SWITCH_DEFAULT =
  "No `default:` in a switch: over a union, write an arm for each member and let the compiler find the missing one; over an open string, return after the switch.";

export default { meta: { name: "house" }, rules: { "no-switch-default": noSwitchDefault } };
