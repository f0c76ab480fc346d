"""Two hundred clients at once, each with a device of its own: nothing is lost or mixed up."""

import random

from support.harness import Scenario, SocketServer, bridge, eventually, main

CLIENTS = 200
ROUNDS = 10


class ManyClients(Scenario):
    def test_two_hundred_at_once(self):
        seed = random.SystemRandom().randrange(1 << 32)
        print(f"seed {seed}", flush=True)
        dice = random.Random(seed)
        with SocketServer("--quiet") as server:
            clients = [server.client() for _ in range(CLIENTS)]
            for number, client in enumerate(clients):
                client.number = number
                client.pending = [client.call_async(
                    "PW", "startLiveActivity", {"elapsedSeconds": number * 1000})]
            # Everybody has calls in flight all the time, in an order that is different each round.
            for turn in range(1, ROUNDS + 1):
                dice.shuffle(clients)
                for client in clients:
                    client.pending.append(client.call_async(
                        "PW", "updateLiveActivity",
                        {"elapsedSeconds": client.number * 1000 + turn}))
                    if dice.random() < 0.5:
                        client.pending.append(
                            client.call_async("pwbridge/control", "activities"))
            for client in clients:
                listings = [call.result() for call in client.pending]
                elapsed = [listing[0]["contentState"]["elapsedTime"]
                           for listing in listings if listing is not None]
                # One's own numbers only, in the order in which they were sent.
                self.assertEqual(elapsed, sorted(elapsed))
                for seconds in elapsed:
                    self.assertEqual(seconds // 1000, client.number)
                activity = self.only(self.control(client, "activities"))
                self.assertEqual(
                    activity["contentState"]["elapsedTime"], client.number * 1000 + ROUNDS)
                self.assertEqual(activity["updates"], ROUNDS)
                self.assertEqual(client.errors, [])
            for client in clients:
                client.close()

    def test_a_shared_device_takes_them_all(self):
        with SocketServer("--quiet") as server:
            clients = [server.client(device="one") for _ in range(50)]
            clients[0].invoke("PW", "startLiveActivity", {"elapsedSeconds": 0})
            calls = [client.call_async("PW", "updateLiveActivity", {"elapsedSeconds": 1})
                     for _ in range(10) for client in clients]
            for call in calls:
                self.assertIsNone(call.result())
            activity = self.only(self.control(clients[0], "activities"))
            self.assertEqual(activity["updates"], 500)
            for client in clients:
                client.close()

    def test_one_too_many_is_turned_away(self):
        with SocketServer("--max-connections", "3") as server:
            clients = [server.client() for _ in range(3)]
            with self.assertRaises(bridge.FrameErrorReply) as caught:
                late = server.client()
                late.invoke("PW", "stopLiveActivity")
            self.assertEqual(caught.exception.code, "too-many-connections")
            server.complaints.wait_for("client refused")
            clients.pop().close()

            def comes_in():
                try:
                    with server.client() as client:
                        return client.invoke("PW", "startLiveActivity", {}) is None
                except bridge.FrameErrorReply:
                    return False
            eventually(comes_in, "a place that is free again")
            for client in clients:
                client.close()


if __name__ == "__main__":
    main()
