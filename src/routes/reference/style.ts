// Reference style: the stylesheet of the reference page. Light or dark follows the browser's setting.
export const stylesheet = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: light-dark(#0b57d0, #8ab4f8); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 60rem); font: 15px/1.55 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1rem; border-right: 1px solid var(--line); }
nav h2 { font-size: .8rem; margin: 1.2rem 0 .3rem; opacity: .7; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: .1rem 0; }
main { padding: 1.5rem 2rem 6rem; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
section { border-top: 1px solid var(--line); padding: .5rem 0 1rem; scroll-margin-top: 1rem; }
h3 { font-size: 1rem; margin: .8rem 0 .4rem; overflow-wrap: anywhere; }
code, pre { font: 13px/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; padding: .1em .3em; }
pre { padding: .8rem; overflow: auto; }
code.get { color: light-dark(#0a6e31, #7ee2a8); }
code.post { color: light-dark(#0b57d0, #8ab4f8); }
code.delete { color: light-dark(#b3261e, #f2b8b5); }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
em { opacity: .65; font-size: .85em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .5rem 0; }
dt { opacity: .7; }
dd { margin: 0; }
tr:target, section:target { background: var(--soft); }
@media (max-width: 48rem) { body { display: block; } nav { position: static; height: auto; border-right: 0; } }
`;
