// The names that a template requires equal those of Liquid's own analysis, in the same order and lines.
import { analyzeSync } from "liquidjs";
import { expect, test } from "vitest";
import { parseTemplate } from "#kernel/language/liquid.ts";
import { parseMessagePart } from "#kernel/language/template.ts";

test.each([
  "{{ a }}{{ b.c }}\n{{ a }}{{ d[e.f] }}",
  "{{ a }}\n{% assign a = b %}{{ a }}{{ c }}",
  "{% for item in list %}\n{{ item.name }}{{ forloop.index }}{{ other }}{% else %}{{ item }}{% endfor %}{{ item }}",
  "{% for a in b %}{% for c in a %}{{ c }}{{ a }}{% endfor %}{{ c }}{% endfor %}",
  "{% capture x %}{{ y }}{% endcapture %}\n{{ x }}{{ z | default: w, allow_false: v }}",
  "{% if a and b contains c %}{{ d }}{% elsif e %}{% else %}{{ f }}{% endif %}{% unless g %}{% endunless %}",
  "{% case h %}{% when i %}{{ j }}{% endcase %}{% for k in (1..m) limit: n %}{% endfor %}",
  '{{ "text" }}{{ 5 | plus: o }}{{ ["p"].q }}{% comment %}{{ r }}{% endcomment %}{% raw %}{{ s }}{% endraw %}',
  "\n\n{{ z }}\n{{ a }}\n{{ z }}",
  "{{ [t].u }}{{ [v][w] }}",
])("%s", (text) => {
  const { globals } = analyzeSync(parseTemplate(text), { partials: false });
  const wanted = Object.entries(globals).map(([name, [first]]) => ({ name, line: first?.location.row }));
  expect(parseMessagePart(text, "text")).toMatchObject({ kind: "parsed", uses: wanted });
});
