import Foundation

/// A rectangle of the screen, in name only: nothing is drawn.
@preconcurrency @MainActor open class UIView: NSObject {
  open var frame: CGRect
  open var isHidden = false
  open var tag = 0
  public private(set) var subviews: [UIView] = []
  public private(set) weak var superview: UIView?

  public init(frame: CGRect) { self.frame = frame }
  public convenience override init() { self.init(frame: .zero) }
  /// Nothing comes from a storyboard here.
  public required init?(coder: NSCoder) { nil }

  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
}

/// The window that holds the app's view controller.
@preconcurrency @MainActor open class UIWindow: UIView {
  open var rootViewController: UIViewController?
  open weak var windowScene: UIWindowScene?
  public private(set) var isKeyWindow = false

  public override init(frame: CGRect) { super.init(frame: frame) }
  public convenience init(windowScene: UIWindowScene) {
    self.init(frame: .zero)
    self.windowScene = windowScene
  }
  public required init?(coder: NSCoder) { nil }

  open func makeKeyAndVisible() {
    isKeyWindow = true
    isHidden = false
    rootViewController?.loadViewIfNeeded()
  }

  open func makeKey() { isKeyWindow = true }
}

/// A view controller, of which plugins mostly ask the one that is on top.
@preconcurrency @MainActor open class UIViewController: NSObject {
  public let nibName: String?
  open var title: String?
  public private(set) var presentedViewController: UIViewController?
  public private(set) weak var presentingViewController: UIViewController?
  public private(set) var children: [UIViewController] = []
  public private(set) weak var parent: UIViewController?
  private var loadedView: UIView?

  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    nibName = nibNameOrNil
  }
  public convenience override init() { self.init(nibName: nil, bundle: nil) }
  /// Nothing comes from a storyboard here.
  public required init?(coder: NSCoder) { nil }

  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loadedView
    }
    set { loadedView = newValue }
  }
  open var isViewLoaded: Bool { loadedView != nil }

  open func loadView() { loadedView = UIView(frame: .zero) }
  open func viewDidLoad() {}
  open func loadViewIfNeeded() {
    guard loadedView == nil else { return }
    loadView()
    viewDidLoad()
  }

  /// Nothing is shown; the handler is called all the same.
  open func present(
    _ viewController: UIViewController, animated: Bool, completion: (() -> Void)? = nil
  ) {
    presentedViewController = viewController
    viewController.presentingViewController = self
    viewController.loadViewIfNeeded()
    completion?()
  }

  open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
    if presentedViewController == nil, let presentingViewController {
      return presentingViewController.dismiss(animated: animated, completion: completion)
    }
    presentedViewController?.presentingViewController = nil
    presentedViewController = nil
    completion?()
  }

  open func addChild(_ child: UIViewController) {
    child.removeFromParent()
    children.append(child)
    child.parent = self
  }

  open func removeFromParent() {
    parent?.children.removeAll { $0 === self }
    parent = nil
  }
}
