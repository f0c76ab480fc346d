"""Pushes: APNs payloads, and the guide's request to Pushwoosh's server."""

import os
import pathlib
import unittest

from support.harness import REPOSITORY, Scenario, main, on_each_server

STEPPED = ("--quiet", "--option", "clock=stepped", "--option", "start-time=1000")
GUIDE = pathlib.Path(os.environ.get("PWBRIDGE_GUIDE") or REPOSITORY.parent / "shared" / "guide")
REQUEST = GUIDE / "server" / "start_live_activity.json5"

START = """{
  "aps": {                      // comments are allowed
    "timestamp": 1001, "event": "start",
    "content-state": {"data": {"eta": 5}},
    "attributes-type": "DefaultLiveActivityAttributes",
    "attributes": {"data": {"name": "n"}, "pushwoosh": {"activityId": "a-1"}},
    "alert": {"title": "t", "body": "b"}
  }
}"""


def update(time, **fields):
    return {"aps": {"timestamp": time, "event": "update",
                    "content-state": {"data": {"eta": time}}, **fields}}


class Pushes(Scenario):
    def start(self, client):
        client.invoke("pushwoosh", "defaultSetup")
        self.control(client, "clock.advance", by="10s")
        report = self.control(client, "deliverPush", payload=START)
        self.assertTrue(report["hadEffect"], report)
        return self.only(self.control(client, "activities"))["id"]

    @on_each_server(*STEPPED)
    def test_start_update_stale_end(self, server):
        with server.client() as client:
            id = self.start(client)
            self.control(client, "clock.advance", by="10s")

            def activity():
                return self.control(client, "activity", id=id)

            self.assertEqual(activity()["startedBy"], "push")
            self.assertEqual(activity()["contentState"], {"data": {"eta": 5}})
            report = self.control(
                client, "deliverPush", id=id, payload=update(1010, **{"stale-date": 1100}))
            self.assertTrue(report["hadEffect"], report)
            self.assertEqual(activity()["contentState"], {"data": {"eta": 1010}})
            # Older than the last one: ignored.
            report = self.control(client, "deliverPush", id=id, payload=update(1009))
            self.assertFalse(report["hadEffect"])
            self.assertEqual(self.only(report["results"])["outcome"]["reason"], "olderTimestamp")
            self.assertEqual(activity()["state"], "active")
            self.control(client, "clock.advance", by="100s")
            self.assertEqual(activity()["state"], "stale")
            self.control(client, "deliverPush", id=id, payload=update(1120))
            self.assertEqual(activity()["state"], "active")
            token = activity()["pushToken"]
            self.assertTrue(token)
            report = self.control(
                client, "deliverPush", token=token,
                payload={"aps": {"timestamp": 1130, "event": "end", "dismissal-date": 1500}})
            self.assertTrue(report["hadEffect"], report)
            self.assertEqual(activity()["state"], "ended")
            now = self.control(client, "clock.now")["microseconds"]
            self.control(client, "clock.advance", microseconds=1500 * 10**6 - now - 1)
            self.assertEqual(activity()["state"], "ended")
            self.control(client, "clock.advance", microseconds=1)
            self.assertEqual(activity()["state"], "dismissed")

    @on_each_server(*STEPPED)
    def test_what_is_wrong_with_a_payload_is_told(self, server):
        with server.client() as client:
            for payload in ("{", "[]", "{}", {"aps": {"event": "update"}},
                            {"aps": {"event": "start", "timestamp": 1}}):
                with self.subTest(payload):
                    report = self.control(client, "deliverPush", payload=payload)
                    self.assertFalse(report["hadEffect"])
                    self.assertTrue(
                        report["refusal"] or any(fault["fatal"] for fault in report["faults"]),
                        report)
            self.assertEqual(self.control(client, "activities"), [])

    @unittest.skipUnless(REQUEST.exists(), f"SKIPPED: the guide is not there: {REQUEST}")
    @on_each_server(*STEPPED)
    def test_the_guides_server_request(self, server):
        text = REQUEST.read_text()
        with server.client() as client:
            client.invoke("pushwoosh", "defaultSetup")
            self.control(client, "clock.advance", by="10s")
            report = self.control(client, "serverRequest", request=text)
            # As it stands there the request lacks an alert, and names a device that is not this.
            activity = self.only(self.control(client, "activities"))
            self.assertTrue(report["hadEffect"], report)
            self.assertEqual(
                activity["attributes"],
                {"data": {"name": "static data"},
                 "pushwoosh": {"activityId": "your_activity_id"}})
            self.assertEqual(activity["contentState"], {"data": {"emoji": "dynamic data"}})
            # Its token goes to the server under that id.
            self.control(client, "clock.advance", by="10s")
            bodies = [request["body"] for request in self.control(client, "serverRequests")]
            self.assertEqual(bodies[-1]["activity_id"], "your_activity_id")


if __name__ == "__main__":
    if not REQUEST.exists():
        print(f"SKIPPED: the guide's server request is not there: {REQUEST}", flush=True)
    main()
