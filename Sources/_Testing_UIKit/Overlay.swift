// Swift's testing library has the compiler import a module of this name wherever a file imports
// Testing and UIKit, and brings it along on Apple's systems only.
@_exported import UIKit
