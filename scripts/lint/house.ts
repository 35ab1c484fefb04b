// Project lint rules: rules that oxlint does not have. They see only the syntax of one file, without types.
type Place = { readonly type: string };
type SwitchCase = Place & { readonly test: Place | null };
type Context = { readonly report: (found: { readonly message: string; readonly node: Place }) => void };

/** Forbids `default:` in a switch, because with one the compiler does not report a missing case of a union. */
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
