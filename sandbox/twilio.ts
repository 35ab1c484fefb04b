// Twilio's Messages, below /twilio, with the numbers that Twilio's own test credentials know. The password "wrong" is.
import { asProvider, basicOf, type Manners } from "./provider.ts";
import type { SandboxEnv } from "./env.ts";

const toNumbers: Readonly<Record<string, readonly [code: number, status: number, message: string]>> = {
  "+15005550001": [21211, 400, "The 'To' number +15005550001 is not a valid phone number."],
  "+15005550002": [
    21612,
    400,
    "The 'To' phone number is not currently reachable using the 'From' phone number via SMS.",
  ],
  "+15005550003": [
    21408,
    403,
    "Permission to send an SMS has not been enabled for the region indicated by the 'To' number.",
  ],
  "+15005550004": [21610, 400, "Attempt to send to unsubscribed recipient"],
  "+15005550009": [21614, 400, "'To' number is not a valid mobile number"],
};
const fromNumbers: typeof toNumbers = {
  "+15005550001": [
    21212,
    400,
    "The 'From' number +15005550001 is not a valid phone number, shortcode, or alphanumeric sender ID.",
  ],
  "+15005550007": [
    21606,
    400,
    "The 'From' phone number provided is not a valid, SMS-capable inbound phone number for your account.",
  ],
  "+15005550008": [21611, 429, "This 'From' number has exceeded the maximum number of queued messages"],
};

const errorOf = (code: number, status: number, message: string) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});
const refuse = (code: number, status: number, message: string) =>
  Response.json(errorOf(code, status, message), { status });

const manners: Manners = {
  errorBody: (status) =>
    status === 429 ? errorOf(20429, 429, "Too Many Requests") : errorOf(20000 + status, status, `scripted ${status}`),
  perform: async (request, id) => {
    const { user, password } = basicOf(request);
    const account = new URL(request.url).pathname.split("/")[4] ?? "";
    const isKnown = user.startsWith("SK") || user === account;
    if (!isKnown || password === "" || password === "wrong") return refuse(20003, 401, "Authenticate");
    const form = new URLSearchParams(await request.text());
    const [to, from, body] = ["To", "From", "Body"].map((name) => form.get(name) ?? "") as [string, string, string];
    const service = form.get("MessagingServiceSid");
    if (to === "") return refuse(21604, 400, "A 'To' phone number is required.");
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refuse(21211, 400, `The 'To' number ${to} is not a valid phone number.`);
    if (from === "" && service === null) return refuse(21603, 400, "A 'From' phone number is required.");
    if (body === "") return refuse(21602, 400, "Message body is required.");
    if (body.length > 1600)
      return refuse(21617, 400, "The concatenated message body exceeds the 1600 character limit.");
    const magic = toNumbers[to] ?? fromNumbers[from];
    if (magic) return refuse(...magic);
    const sid = `SM${id.toString(16).padStart(32, "0")}`;
    const at = new Date().toUTCString();
    return Response.json(
      {
        sid,
        account_sid: account,
        to,
        from: from || null,
        messaging_service_sid: service,
        body,
        status: service === null ? "queued" : "accepted",
        direction: "outbound-api",
        num_segments: "1",
        num_media: "0",
        error_code: null,
        error_message: null,
        date_created: at,
        date_updated: at,
        uri: `/2010-04-01/Accounts/${account}/Messages/${sid}.json`,
      },
      { status: 201 },
    );
  },
};

export const twilio = (request: Request, env: SandboxEnv) => asProvider(request, env, manners);
