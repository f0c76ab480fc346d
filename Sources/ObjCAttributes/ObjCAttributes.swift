import Foundation
import PackagePlugin

/// Lets a target hold Swift files with `@objc`, `@objc(name)` and `@objcMembers`, byte for byte as
/// an Xcode project has them: it compiles copies without those attributes, and the compiler still
/// names the originals. In the copies `#if os(iOS)` holds.
///
/// The files are those that the target excludes, since SwiftPM would compile the originals too:
///
///     .executableTarget(
///       name: "Runner", dependencies: [...], exclude: ["AppDelegate.swift"],
///       plugins: [.plugin(name: "ObjCAttributes", package: "pwbridge")])
@main
struct ObjCAttributes: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let eraser = try context.tool(named: "ObjCAttributeEraser").url
    let files = excludedFiles(of: target)
    if files.isEmpty {
      Diagnostics.remark(
        "ObjCAttributes: \(target.name) excludes no Swift file, so there is nothing to do; exclude "
          + "those that have @objc")
    }
    return files.map { file in
      // Named otherwise than the original: one file name must not stand for two places.
      let name = file.deletingPathExtension().lastPathComponent
      let copy = context.pluginWorkDirectoryURL.appending(path: "\(name).erased.swift")
      return .buildCommand(
        displayName: "Blanking Objective-C attributes in \(file.lastPathComponent)",
        executable: eraser,
        arguments: [file.path(percentEncoded: false), copy.path(percentEncoded: false)],
        inputFiles: [file], outputFiles: [copy])
    }
  }

  /// The Swift files in the target's folder that are no sources of it.
  private func excludedFiles(of target: any SourceModuleTarget) -> [URL] {
    let compiled = Set(target.sourceFiles.map { $0.url.standardizedFileURL })
    let all = FileManager.default.enumerator(
      at: target.directoryURL, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    let files = (all?.compactMap { $0 as? URL } ?? []).filter {
      $0.pathExtension == "swift" && !compiled.contains($0.standardizedFileURL)
    }
    return files.sorted { $0.path() < $1.path() }
  }
}
