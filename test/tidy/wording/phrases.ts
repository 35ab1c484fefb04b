// Phrases that are not plain technical English, each with what to write instead. A blank stands for any gap between two
// words of a sentence: a line break of a comment, too. Names are read as words: `giveBackSlot` as "give back slot".

export type Phrase = {
  /** A regular expression of words, whole ones, in small letters or capitals. */
  readonly words: string;
  readonly instead: string;
  /** Counts in exported names and names of files alone; in texts as well if absent. */
  readonly where?: "names";
};

const ACTOR = "name the actor: client, operator, tenant, Worker, consumer, object, runner, provider";
const APART = String.raw`(?! (?:[\w'-]+ ){0,3}apart\b)`;

const actors: readonly Phrase[] = [
  { words: "nobody", instead: `${ACTOR}, as in "no operator"` },
  { words: "somebody|anybody|everybody", instead: ACTOR },
  { words: "whoever|whomever|whosoever", instead: ACTOR },
  { words: "whom", instead: `${ACTOR}, or "the recipient"` },
  { words: "strangers?", instead: "foreign call, or the actor" },
];

const phrases: readonly Phrase[] = [
  { words: "how manieth", instead: "index, position" },
  { words: "of its own accord|by itself|by themselves", instead: "automatically" },
  { words: "(?:comes?|came|coming) to nothing", instead: "has no effect" },
  { words: "(?:comes?|came|coming) to(?! nothing)", instead: "results in, equals, reaches" },
  { words: "(?:becomes?|became|become|comes?|came) of", instead: "outcome, result" },
  { words: "fates?", instead: "outcome, result" },
  { words: "(?:stands?|stood|standing) apart", instead: "is quarantined" },
  { words: "(?:stands?|stood|standing) still", instead: "is waiting, is stuck" },
  { words: "(?:stands|stood)(?! apart| still)", instead: "is, is in, is stored in, represents" },
  { words: "(?:lets?|letting) (?:[\\w'-]+ ){0,3}go", instead: "delete, evict, release, resume: whichever it is" },
  { words: "(?:lets?|letting) (?:[\\w'-]+ ){0,3}lie", instead: "archive" },
  { words: "gone on with", instead: "continue" },
  { words: `(?:is|are|was|were|been|be|being) told${APART}`, instead: "is notified, receives" },
  { words: `tells?${APART}|telling${APART}`, instead: "project, notify, send, return" },
  { words: "none of it", instead: "nothing, and say of what" },
  { words: "(?:brings?|brought|bringing) about", instead: "cause, create" },
  { words: "(?:makes?|made|making) up for", instead: "compensate, catch up on" },
  { words: "means? well", instead: "say what the client does" },
  { words: "for good(?! reason)", instead: "permanently" },
  { words: "beforehand", instead: "in advance" },
  { words: "thereupon", instead: "then" },
  { words: "hither|thither", instead: "here, to it" },
  { words: "(?:takes?|taken|took|taking) in", instead: "accept, store" },
  { words: "in hand", instead: "in progress, claimed by" },
  { words: "at hand", instead: "cached, in memory" },
  { words: "once more", instead: "again" },
  { words: "in vain", instead: "without success" },
  { words: "look(?:s|ed|ing)? (?:at|after|again)", instead: "check, inspect, maintain" },
  { words: "to be had", instead: "available" },
];

const renames: readonly Phrase[] = [
  { words: "believe[sd]?|believing", instead: "verify" },
  { words: "(?:came|comes?|coming) back", instead: "reactivate, return", where: "names" },
  { words: "crowd(?:ed|s)?", instead: "large cell, resident index" },
  { words: "(?:deals?|dealt|shares?|shared|sharing) out", instead: "split, sub-batch" },
  { words: "enlist(?:ed|s|ing|ee)?", instead: "register a correlation key" },
  { words: "errands?", instead: "task update, child request" },
  { words: "foresee[ns]?|foresaw|foreseeing", instead: "predict" },
  { words: "(?:gives?|gave|given|giving) back", instead: "requeue, release" },
  { words: "(?:hand|hands|handed|handing) over", instead: "deliver" },
  { words: "heal(?:s|ed|ing)?", instead: "auto-retry after recovery" },
  { words: "mend(?:s|ed|ing)?", instead: "repair, fix" },
  { words: "misfits?", instead: "schema violation" },
  { words: "outlooks?", instead: "prediction, mapping result" },
  { words: "ow(?:e|es|ed|ing)", instead: "outbox message, send" },
  { words: "purse", instead: "step budget" },
  { words: "(?:puts?|putting) off", instead: "defer" },
  { words: "remember(?:s|ed|ing)?", instead: "cache, store" },
  { words: "seldom", instead: "throttled check, rarely" },
  { words: "steer(?:s|ed|ing)?", instead: "control" },
  { words: "tend(?:s|ed|ing)?", instead: "maintain" },
  { words: "unwanted", instead: "abandoned" },
];

/** Common words, which only make poor names. */
const names: readonly Phrase[] = [
  { words: "alone", instead: "standalone", where: "names" },
  { words: "by hand", instead: "operator", where: "names" },
  { words: "company|grouping", instead: "group commit", where: "names" },
  { words: "declared", instead: "input schema", where: "names" },
  { words: "difference", instead: "diff", where: "names" },
  { words: "generation", instead: "key version", where: "names" },
  { words: "(?<!in )flights?", instead: "direct call", where: "names" },
  { words: "holders?", instead: "token cache", where: "names" },
  { words: "keepers?", instead: "controller", where: "names" },
  { words: "known moves", instead: "transition cache", where: "names" },
  { words: "ladder", instead: "retry timetable", where: "names" },
  { words: "nominal", instead: "scheduled instant", where: "names" },
  { words: "notice", instead: "tenant alert", where: "names" },
  { words: "parting", instead: "waiting for children", where: "names" },
  { words: "pile", instead: "publication stack", where: "names" },
  { words: "tellers?|told|untold", instead: "project, notify, send", where: "names" },
];

const BARE = "a function is verb + object, a type a noun with a head noun";
const VERBS = "ask|come|give|go|keep|learn|leave|let|look|make|put|say|says|see|stand|take|takes";
const PARTICIPLES =
  "bound|broken|cut|dealt|found|frozen|given|held|kept|known|landed|made|meant|said|seen|sent|shown|spent|taken|told";

/** Names of one word; constants in capitals are none of these. */
const bare: readonly Phrase[] = [
  { words: `^(?:${VERBS})$`, instead: BARE, where: "names" },
  { words: `^(?:${PARTICIPLES}|[a-z]+ed)$`, instead: BARE, where: "names" },
];

const GONE =
  "is|was|are|were|has|had|does|did|can|cannot|could|may|must|will|would|acts|arrive[sd]|asks|asked|became|becomes|began|belongs|" +
  "breaks|brings|broke|calls|came|carries|changed?|changes|comes?|costs|counts|differs|ended|ends|exists|failed|fails|followed|" +
  "follows|gets|gives|goes|hangs|happened|happens|held|holds|keeps|leaves|lets|lies|listens|lives|moves|needs|observes|" +
  "opened|opens|ran|remains|repeats|runs|says|sends|signs|speaks|stands|started|starts|stood|surrounds|takes|tells|took|" +
  "travels|uses|waits|walks|wants|weighs|went";

/** At the beginning of a sentence, as its capital shows; questions are none. */
export const clauses: readonly Phrase[] = [
  { words: `(?:What|Whatever) (?:${GONE})`, instead: "begin with the noun that does it: no clause as a subject" },
  { words: `Who (?:${GONE})`, instead: `begin with the noun that does it: ${ACTOR}` },
];

/** In texts and names, as each says. */
export const everywhere: readonly Phrase[] = [...actors, ...phrases, ...renames, ...names, ...bare];
