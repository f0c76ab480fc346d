// Code that imports Flutter may use UIKit and Foundation without importing them, as on iOS.
@_exported import Foundation
@_exported import UIKit
