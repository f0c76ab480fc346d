import BridgeHost

BridgeHost.run(WorkoutPlugin.self, DistancesPlugin.self, MistakesPlugin.self)
