import BridgeCommands

BridgeProgram.main()
