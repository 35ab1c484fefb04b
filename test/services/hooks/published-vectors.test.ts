// Messages and signatures that providers have published.
import { describe, expect, test } from "vitest";
import { believed } from "./scheme-contract.ts";

describe("published examples verify", () => {
  test("GitHub's own example", async () => {
    const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const sent = { body: "Hello, World!", headers: { "X-Hub-Signature-256": signature } };
    expect(await believed({ scheme: "github", secret: "s" }, sent, ["It's a Secret to Everybody"])).toBe(true);
  });

  test("Slack's own example", async () => {
    const told =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const sent = {
      body: told,
      headers: {
        "X-Slack-Request-Timestamp": "1531420618",
        "X-Slack-Signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
      },
    };
    const key = "8f742231b10e8888abcd99yyyzzz85a5";
    expect(await believed({ scheme: "slack", secret: "s" }, sent, [key], 1_531_420_618_000)).toBe(true);
  });

  /** Of the tests of sendgrid-nodejs, packages/eventwebhook. */
  test("SendGrid's own example", async () => {
    const key =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==";
    const sent = {
      body: `${JSON.stringify([
        {
          email: "hello@world.com",
          event: "dropped",
          reason: "Bounced Address",
          sg_event_id: "ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA",
          sg_message_id: "LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0",
          "smtp-id": "<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>",
          timestamp: 1600112492,
        },
      ])}\r\n`,
      headers: {
        "X-Twilio-Email-Event-Webhook-Signature":
          "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=",
        "X-Twilio-Email-Event-Webhook-Timestamp": "1600112502",
      },
    };
    expect(await believed({ scheme: "sendgrid", secret: "s" }, sent, [key], 1_600_112_502_000)).toBe(true);
    expect(await believed({ scheme: "sendgrid", secret: "s" }, sent, ["not a key"], 1_600_112_502_000)).toBe(false);
  });
});
