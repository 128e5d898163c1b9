#if Postgres
    package import Foundation

    // numeric: digits in base 10,000.
    //
    //     int16 count   int16 weight   uint16 sign   uint16 scale   count × int16 digit
    //
    // The value is the sum of digit[i] × 10000^(weight - i). The sign is 0x0000 or 0x4000; 0xC000 is NaN, 0xD000 and 0xF000
    // are the infinities. The scale is the number of decimal places that are shown.
    //
    // Decimal: mantissa × 10^exponent, with a mantissa of 128 bits and an exponent from -128 to 127.

    /// Exact in both directions. Numbers that `Decimal` cannot represent, NaN and the infinities are errors.
    extension Decimal: PostgresValue {
        package static var postgresType: PostgresType { .numeric }

        package func encode(into bytes: inout [UInt8]) throws(PostgresValueError) {
            if isNaN { throw .notANumber }
            var mantissa = wideMantissa
            let scale = mantissa == 0 ? 0 : max(0, -Int(exponent))
            // Digits of base 10,000 begin at exponents that are multiples of 4.
            let excess = (Int(exponent) % 4 + 4) % 4
            let lowestWeight = (Int(exponent) - excess) / 4
            var digits: [Int16] = []
            // The lowest digit takes the excess, since the mantissa times 1,000 may need more than 128 bits.
            if mantissa != 0, excess > 0 {
                let lowest = Self.powersOfTen[4 - excess]
                digits.append(Int16(mantissa % lowest * Self.powersOfTen[excess]))
                mantissa /= lowest
            }
            while mantissa != 0 {
                digits.append(Int16(mantissa % 10_000))
                mantissa /= 10_000
            }
            let weight = lowestWeight + digits.count - 1
            while digits.first == 0 { digits.removeFirst() }
            bytes.append(bigEndian: Int16(digits.count))
            bytes.append(bigEndian: Int16(digits.isEmpty ? 0 : weight))
            bytes.append(bigEndian: UInt16(sign == .minus && !digits.isEmpty ? 0x4000 : 0))
            bytes.append(bigEndian: UInt16(scale))
            for digit in digits.reversed() { bytes.append(bigEndian: digit) }
        }

        package init(postgresBytes bytes: UnsafeRawBufferPointer) throws(PostgresValueError) {
            guard let count = bytes.bigEndian(Int16.self), let weight = bytes.bigEndian(Int16.self, at: 2),
                let sign = bytes.bigEndian(UInt16.self, at: 4), count >= 0, bytes.count == 8 + 2 * Int(count)
            else { throw .malformed(type: Self.postgresType.name) }
            switch sign {
            case 0x0000, 0x4000: break
            case 0xC000: throw .notANumber
            case 0xD000, 0xF000: throw .infinity
            default: throw .malformed(type: Self.postgresType.name)
            }
            var mantissa = WideMantissa()
            for index in 0..<Int(count) {
                guard let digit = bytes.bigEndian(UInt16.self, at: 8 + 2 * index), digit < 10_000 else {
                    throw .malformed(type: Self.postgresType.name)
                }
                // The decimal digits one by one: the last ones may be zeros for which 128 bits have no room.
                for power in Self.powersOfTen.prefix(4).reversed() {
                    guard mantissa.append(UInt128(digit) / power % 10) else { throw .numericOutOfRange }
                }
            }
            let exponent = mantissa.trailingZeros + 4 * (Int(weight) - Int(count) + 1)
            try self.init(mantissa.value, exponent: exponent, isNegative: sign == 0x4000)
        }

        /// 1, 10, 100, 1,000 and 10,000.
        private static let powersOfTen: [UInt128] = [1, 10, 100, 1_000, 10_000]

        /// The mantissa, by its digits: `Decimal` gives no other access to it.
        private var wideMantissa: UInt128 {
            significand.magnitude.description.utf8.reduce(0) { $0 * 10 + UInt128($1 - UInt8(ascii: "0")) }
        }

        private init(_ mantissa: UInt128, exponent: Int, isNegative: Bool) throws(PostgresValueError) {
            guard mantissa != 0 else {
                self.init()
                return
            }
            // Foundation removes zeros at the end of a mantissa, as here, so larger exponents could be written in one way
            // but not used.
            guard (-128...127).contains(exponent) else { throw .numericOutOfRange }
            // Products and sums below 2^128 are exact.
            let high = Decimal(UInt64(truncatingIfNeeded: mantissa >> 64))
            let low = Decimal(UInt64(truncatingIfNeeded: mantissa))
            let significand = high * (Decimal(UInt64.max) + 1) + low
            self.init(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
        }
    }

    /// **Value.** A number of decimal digits without its trailing zeros.
    private struct WideMantissa {
        private(set) var value: UInt128 = 0
        /// The zeros behind the last digit that is not zero.
        private(set) var trailingZeros = 0

        /// Appends a decimal digit. Returns `false` if there is no room.
        mutating func append(_ digit: UInt128) -> Bool {
            if digit == 0 {
                trailingZeros += 1
                return true
            }
            for _ in 0...trailingZeros {
                guard value != 0 else { break }
                guard case let (product, false) = value.multipliedReportingOverflow(by: 10) else { return false }
                value = product
            }
            guard case let (sum, false) = value.addingReportingOverflow(digit) else { return false }
            (value, trailingZeros) = (sum, 0)
            return true
        }
    }
#endif
