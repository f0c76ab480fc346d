/// Numbers as rapidjson reads and prints them with the flags that the Linux and Windows embedders
/// use. Its reader rounds more than once, its printer (Grisu2) does not always find the shortest
/// digits: both are followed step by step, since the bytes depend on it.
enum RapidJSONNumber {}

// MARK: - Reading

extension RapidJSONNumber {
  /// The double that rapidjson's default precision makes of a number that fits no 64-bit integer;
  /// nil where it reports "number too big".
  static func double(_ number: JSONNumber) -> Double? {
    var scanner = Scanner(text: number.text)
    return scanner.double()
  }

  private struct Scanner {
    let text: UnsafeRawBufferPointer
    var position = 0

    private var digit: UInt8? {
      guard position < text.count else { return nil }
      let byte = text[position]
      return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? byte & 0xf : nil
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
      guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }

    mutating func double() -> Double? {
      let isNegative = consume("-")
      var whole: UInt64 = 0
      var number = 0.0
      var isDouble = false
      var significantDigits = -1
      let limit: UInt64 = isNegative ? 1 << 63 : .max
      while let next = digit {
        if !isDouble {
          let (product, isOver) = whole.multipliedReportingOverflow(by: 10)
          let (sum, isPast) = product.addingReportingOverflow(UInt64(next))
          if isOver || isPast || sum > limit {
            number = Double(whole)
            isDouble = true
          } else {
            whole = sum
            significantDigits += 1
          }
        }
        if isDouble { number = number * 10 + Double(next) }
        position += 1
      }
      var fractionExponent = 0
      if consume(".") {
        if !isDouble {
          while let next = digit, whole < 1 << 53 {
            whole = whole * 10 + UInt64(next)
            fractionExponent -= 1
            if whole != 0 { significantDigits += 1 }
            position += 1
          }
          number = Double(whole)
          isDouble = true
        }
        while let next = digit {
          if significantDigits < 17 {
            number = number * 10 + Double(next)
            fractionExponent -= 1
            if number > 0 { significantDigits += 1 }
          }
          position += 1
        }
      }
      if !isDouble { number = Double(whole) }
      guard let exponent = exponent(fractionExponent) else { return nil }
      let result = RapidJSONNumber.scale(number, by: exponent + fractionExponent)
      if result.isInfinite { return nil }
      return isNegative ? -result : result
    }

    /// nil where the exponent alone is too large, whatever the digits.
    private mutating func exponent(_ fractionExponent: Int) -> Int? {
      guard consume("e") || consume("E") else { return 0 }
      let isNegative = consume("-")
      if !isNegative { _ = consume("+") }
      let limit =
        isNegative ? (fractionExponent + 2_147_483_639) / 10 : 308 - fractionExponent
      var exponent = Int(digit ?? 0)
      position += 1
      while let next = digit {
        position += 1
        exponent = exponent * 10 + Int(next)
        guard exponent > limit else { continue }
        if !isNegative { return nil }
        while digit != nil { position += 1 }
      }
      return isNegative ? -exponent : exponent
    }
  }

  private static func scale(_ number: Double, by power: Int) -> Double {
    if power < -308 { return divide(divide(number, by: 308), by: -(power + 308)) }
    return power < 0 ? divide(number, by: -power) : number * powers[power]
  }

  private static func divide(_ number: Double, by power: Int) -> Double {
    power > 308 ? 0 : number / powers[power]
  }

  private static let powers: [Double] = (0...308).map { Double("1e\($0)") ?? .infinity }
}

// MARK: - Printing

extension RapidJSONNumber {
  /// A floating-point number of 64 bits and an exponent, as Grisu calculates with.
  private struct Wide {
    var fraction: UInt64
    var exponent: Int

    var normalized: Wide {
      let shift = fraction.leadingZeroBitCount
      return Wide(fraction: fraction << UInt64(shift), exponent: exponent - shift)
    }

    static func * (left: Wide, right: Wide) -> Wide {
      let product = left.fraction.multipliedFullWidth(by: right.fraction)
      return Wide(
        fraction: product.high + product.low >> 63, exponent: left.exponent + right.exponent + 64)
    }
  }

  /// The digits that Grisu2 finds for a positive finite number.
  static func digits(_ number: Double) -> DecimalDigits {
    let hiddenBit: UInt64 = 1 << 52
    let significand = number.bitPattern & (hiddenBit - 1)
    let biased = Int(number.bitPattern >> 52 & 0x7ff)
    let value =
      biased == 0
      ? Wide(fraction: significand, exponent: -1074)
      : Wide(fraction: significand | hiddenBit, exponent: biased - 1075)

    let above = Wide(fraction: value.fraction << 1 + 1, exponent: value.exponent - 1).normalized
    var below =
      value.fraction == hiddenBit
      ? Wide(fraction: value.fraction << 2 - 1, exponent: value.exponent - 2)
      : Wide(fraction: value.fraction << 1 - 1, exponent: value.exponent - 1)
    below.fraction <<= UInt64(below.exponent - above.exponent)
    below.exponent = above.exponent

    let (power, decimalExponent) = cachedPower(for: above.exponent)
    let scaled = value.normalized * power
    let upper = (above * power).fraction - 1
    let lower = (below * power).fraction + 1
    return generate(
      scaled.fraction, upper, exponent: (above * power).exponent, delta: upper - lower,
      decimalExponent: decimalExponent)
  }

  private static func cachedPower(for exponent: Int) -> (Wide, Int) {
    let estimate = Double(-61 - exponent) * 0.30102999566398114 + 347
    let index = Int(estimate.rounded(.up)) >> 3 + 1
    let power = -348 + index * 8
    let binary = (power * 1_741_647) >> 19 - 63
    return (Wide(fraction: cachedFractions[index], exponent: binary), -power)
  }

  private static func generate(
    _ scaled: UInt64, _ upper: UInt64, exponent: Int, delta: UInt64, decimalExponent: Int
  ) -> DecimalDigits {
    var delta = delta
    let shift = UInt64(-exponent)
    let one: UInt64 = 1 << shift
    let distance = upper - scaled
    var whole = upper >> shift
    var fraction = upper & (one - 1)
    var digits: [UInt8] = []
    var kappa = decimalDigits(in: whole)

    while kappa > 0 {
      let unit = smallPowers[kappa - 1]
      let digit = whole / unit
      whole %= unit
      if digit != 0 || !digits.isEmpty { digits.append(UInt8(ascii: "0") + UInt8(digit)) }
      kappa -= 1
      let rest = whole << shift + fraction
      if rest <= delta {
        round(&digits, delta, rest, smallPowers[kappa] << shift, distance)
        return DecimalDigits(digits: digits, exponent: decimalExponent + kappa)
      }
    }
    while true {
      fraction &*= 10
      delta &*= 10
      let digit = fraction >> shift
      if digit != 0 || !digits.isEmpty { digits.append(UInt8(ascii: "0") + UInt8(digit)) }
      fraction &= one - 1
      kappa -= 1
      if fraction < delta {
        let scale = -kappa < 9 ? smallPowers[-kappa] : 0
        round(&digits, delta, fraction, one, distance &* scale)
        return DecimalDigits(digits: digits, exponent: decimalExponent + kappa)
      }
    }
  }

  /// Moves the last digit towards the number while that stays inside the interval.
  private static func round(
    _ digits: inout [UInt8], _ delta: UInt64, _ rest: UInt64, _ unit: UInt64, _ distance: UInt64
  ) {
    var rest = rest
    while rest < distance && delta &- rest >= unit
      && (rest &+ unit < distance || distance &- rest > rest &+ unit &- distance)
    {
      digits[digits.count - 1] -= 1
      rest = rest &+ unit
    }
  }

  private static func decimalDigits(in number: UInt64) -> Int {
    var count = 1
    while count < 9 && number >= smallPowers[count] { count += 1 }
    return count
  }

  private static let smallPowers: [UInt64] = {
    var powers: [UInt64] = [1]
    for _ in 1..<20 { powers.append(powers[powers.count - 1] &* 10) }
    return powers
  }()

  /// 10^-348, 10^-340 … 10^340: the top 64 bits, rounded.
  private static let cachedFractions: [UInt64] = [
    0xfa8f_d5a0_081c_0288, 0xbaae_e17f_a23e_bf76, 0x8b16_fb20_3055_ac76, 0xcf42_894a_5dce_35ea,
    0x9a6b_b0aa_5565_3b2d, 0xe61a_cf03_3d1a_45df, 0xab70_fe17_c79a_c6ca, 0xff77_b1fc_bebc_dc4f,
    0xbe56_91ef_416b_d60c, 0x8dd0_1fad_907f_fc3c, 0xd351_5c28_3155_9a83, 0x9d71_ac8f_ada6_c9b5,
    0xea9c_2277_23ee_8bcb, 0xaecc_4991_4078_536d, 0x823c_1279_5db6_ce57, 0xc210_9436_4dfb_5637,
    0x9096_ea6f_3848_984f, 0xd774_85cb_2582_3ac7, 0xa086_cfcd_97bf_97f4, 0xef34_0a98_172a_ace5,
    0xb238_67fb_2a35_b28e, 0x84c8_d4df_d2c6_3f3b, 0xc5dd_4427_1ad3_cdba, 0x936b_9fce_bb25_c996,
    0xdbac_6c24_7d62_a584, 0xa3ab_6658_0d5f_daf6, 0xf3e2_f893_dec3_f126, 0xb5b5_ada8_aaff_80b8,
    0x8762_5f05_6c7c_4a8b, 0xc9bc_ff60_34c1_3053, 0x964e_858c_91ba_2655, 0xdff9_7724_7029_7ebd,
    0xa6df_bd9f_b8e5_b88f, 0xf8a9_5fcf_8874_7d94, 0xb944_7093_8fa8_9bcf, 0x8a08_f0f8_bf0f_156b,
    0xcdb0_2555_6531_31b6, 0x993f_e2c6_d07b_7fac, 0xe45c_10c4_2a2b_3b06, 0xaa24_2499_6973_92d3,
    0xfd87_b5f2_8300_ca0e, 0xbce5_0864_9211_1aeb, 0x8cbc_cc09_6f50_88cc, 0xd1b7_1758_e219_652c,
    0x9c40_0000_0000_0000, 0xe8d4_a510_0000_0000, 0xad78_ebc5_ac62_0000, 0x813f_3978_f894_0984,
    0xc097_ce7b_c907_15b3, 0x8f7e_32ce_7bea_5c70, 0xd5d2_38a4_abe9_8068, 0x9f4f_2726_179a_2245,
    0xed63_a231_d4c4_fb27, 0xb0de_6538_8cc8_ada8, 0x83c7_088e_1aab_65db, 0xc45d_1df9_4271_1d9a,
    0x924d_692c_a61b_e758, 0xda01_ee64_1a70_8dea, 0xa26d_a399_9aef_774a, 0xf209_787b_b47d_6b85,
    0xb454_e4a1_79dd_1877, 0x865b_8692_5b9b_c5c2, 0xc835_53c5_c896_5d3d, 0x952a_b45c_fa97_a0b3,
    0xde46_9fbd_99a0_5fe3, 0xa59b_c234_db39_8c25, 0xf6c6_9a72_a398_9f5c, 0xb7dc_bf53_54e9_bece,
    0x88fc_f317_f222_41e2, 0xcc20_ce9b_d35c_78a5, 0x9816_5af3_7b21_53df, 0xe2a0_b5dc_971f_303a,
    0xa8d9_d153_5ce3_b396, 0xfb9b_7cd9_a4a7_443c, 0xbb76_4c4c_a7a4_4410, 0x8bab_8eef_b640_9c1a,
    0xd01f_ef10_a657_842c, 0x9b10_a4e5_e991_3129, 0xe710_9bfb_a19c_0c9d, 0xac28_20d9_623b_f429,
    0x8044_4b5e_7aa7_cf85, 0xbf21_e440_03ac_dd2d, 0x8e67_9c2f_5e44_ff8f, 0xd433_179d_9c8c_b841,
    0x9e19_db92_b4e3_1ba9, 0xeb96_bf6e_badf_77d9, 0xaf87_023b_9bf0_ee6b,
  ]
}

extension DecimalDigits {
  /// `digits × 10^exponent`.
  fileprivate init(digits: [UInt8], exponent: Int) {
    self.init(digits: digits, point: digits.count + exponent)
  }
}
