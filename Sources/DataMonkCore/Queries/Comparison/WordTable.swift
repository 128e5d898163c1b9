/// **Value.** The scalars that words are made of, and their folded forms, as the tokenizer `unicode61` of full-text indexes
/// has them with `remove_diacritics 2`. They follow an old version of Unicode, and stay as they are: other tables would
/// make other words of stored texts. So they are listed here, and not asked of the system.
///
/// A test compares every scalar with the tokenizer itself.
enum WordTable {
    /// Returns the folded form of a scalar above ASCII that is a letter, a number or for private use; otherwise `nil`.
    static func folded(_ scalar: UInt32) -> UInt32? {
        guard index(of: scalar, in: letters) != nil else { return nil }
        guard let index = index(of: scalar, in: changes) else { return scalar }
        let change = changes[index]
        guard (scalar - change.first).isMultiple(of: change.step) else { return scalar }
        return UInt32(truncatingIfNeeded: Int(scalar) + change.offset)
    }

    /// Returns `true` if a scalar is a mark that is passed over within a word.
    static func isMark(_ scalar: UInt32) -> Bool {
        (0x300...0x331).contains(scalar) && marks >> (scalar - 0x300) & 1 == 1
    }

    /// **Value.** A run of scalars: all, or every second one.
    private struct Run {
        let first: UInt32
        let last: UInt32
        var step: UInt32 = 1
        /// The difference between the folded form and the scalar.
        var offset = 0
    }

    /// Returns the index of the run around a scalar.
    private static func index(of scalar: UInt32, in runs: [Run]) -> Int? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].last < scalar { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low].first <= scalar ? low : nil
    }

    private static let marks: UInt64 = 0x361F808029FDF

    private static let letters: [Run] = {
        var last: UInt32 = 0
        let numbers = parsed(letterRuns)
        return stride(from: 0, to: numbers.count - 1, by: 2).map { place in
            let first = last + UInt32(numbers[place])
            last = first + UInt32(numbers[place + 1])
            return Run(first: first, last: last)
        }
    }()

    private static let changes: [Run] = {
        var last: UInt32 = 0
        let numbers = parsed(changedRuns)
        return stride(from: 0, to: numbers.count - 3, by: 4).map { place in
            let first = last + UInt32(numbers[place])
            let step = UInt32(numbers[place + 2])
            last = first + UInt32(numbers[place + 1]) * step
            return Run(first: first, last: last, step: step, offset: numbers[place + 3])
        }
    }()

    private static func parsed(_ text: String) -> [Int] { text.split(separator: " ").compactMap { Int($0, radix: 36) } }

    /// For each run, the distance from the end of the one before it, and its length less one; to base 36.
    private static let letterRuns = """
        4q 0 8 1 2 0 4 1 2 2 2 m 2 u 2 cp 5 b f 4 8 0 2 0 3m 4 2 7 2 4 3 0 2 31 2 3u 9 5r 7 14 3 3 2 0 1k 16 3 a 6 0 \
        n 1 3 16 m 9 5 1 2 2q 2 0 g 1 8 e 3 0 f 0 2 0 2 t s 2i c 1l a 1 5 r 5 0 a 0 4 0 6 1 g p 4 1 2 3o s 0 5 1h 4 \
        0 j 0 8 9 5 9 2 f 4 1j 2 0 8 1 3 1 4 8 2 9 3 d 3 5 3 4 4 1j 2 0 6 3 3 1 4 2 2 t 3 2 2 a 4 1j 2 0 9 0 4 0 4 j \
        3 b 3 e 4 1j 2 0 8 1 3 1 4 7 3 9 3 b 2 g 2 1m 6 2 4 0 5 8 2 q 9 5 4 1l 8 0 4 0 5 6 3 a 3 q 2 1 3 1j 2 0 8 0 \
        4 0 5 6 3 a 3 t 3 1l 8 0 4 0 5 8 2 9 3 k 2 7 3 1x 2 3 7 0 2 0 9 h 4 1n 2 1 8 3 2 6 a 9 3 2c 2 1 7 0 3 a 7 1e \
        w j d 1c o 4 c 0 11 0 g 0 e 27 l a 7 5 5 3 4 0 4 1 8 2 5 c d 0 2 9 7 2i 2 gw d 12 b 2t 2 h7 3 g 2 p 3 25 4 z \
        4 s 6 q 3 t 3 1r 10 0 5 0 2 x g 49 2 39 d 3 d 3 2 2 3 2x i 6 3 j z m 6 1 3 1g b 0 u 1 2 v 8 0 7 29 6 1a i k \
        10 2 4 t e 1j f 7 5 z l 2 6 1p 3 1r 9 7 q 3 2 3 4 5m 14 k 5 cc 2 0 4 a 4 c 4 c 4 c 3 0 2u 4 7 9 6 a 6 g r l \
        y e 3 0 5 0 3 9 2 0 4 4 7 0 2 0 2 0 2 3 2 a 3 3 6 4 5 0 2 1r h1 b 14 o c 28 27 l e9 0 3a t qi 2 b ay 7 3 4 6 \
        5 0 3 33 2 d 2 2n 28 0 d 1v r 0 2i b 5z p d 3 6 2 q 8 8 4 3 4 4 2g 5 2 2 2h 2 43 3 3 b v 11 r w a v 7 2 e x \
        9 14 e 1s 0 75 533 1t h3j 1k 1i 3 7g 4 2m h v 2 27 9 7 o 8 3 2u 3 3a 2 2 2 3 2 m a 9 5 1l 5 7 3 1d i 8 3 f j \
        5 4 16 b m e a 2 v 5 1a s f 3 20 f b 2 7 3 d 5 m 4 0 2 1f 2 0 4 1 3 4 3 0 2 r 3 a 8 2 3 6j c 8pd 1kx 5ct 2 9 \
        2 3r h aj 3 57 3 1 r 5 8 8 10 0 k 0 5 42 2 0 g 9 8 p 7 p c 3d 8 0 8 9 8 73 4 1f a 1k i 5 d 1f 1b bk 2 1b 2 \
        w5 2 5i 2 u 2 5c 4 0 3 4 5 13 4 3 2 f a 11 2 54 8 xr 4 1g n 1d 4 18 j 1p 4 z f a 5 1n 4 1b f 3 5 yp e 2pj 5 \
        esc 1b f 5 j1o 6v 9 14 1 52 x 1z 55 2g o9 2 o 2 u 2 o 2 u 2 o 2 u 2 o 2 u 2 o 2 4kr 3 7h 19 3 2t b g 1 f 1 g \
        0 g 1b w 0 1p 3 18 22 u c 18 4 a 6 3 4t y e 7 0 1z 2 l b 12 0 6 k i e 1s 0 2 0 53 0 5 2 1r 1 5 b p 42 1z 3 c \
        1b 1z 1l 39 gwi4 2 t 2p 3j 6p 47bj
        """

    /// For each run, the distance from the end of the one before it, the number of steps, the step and the offset; to base
    /// 36.
    private static let changedRuns = """
        51 0 1 lj b 0 1 -2n 1 0 1 -2o 1 0 1 -2p 1 0 1 -2q 1 0 1 -2r 1 0 1 -2s 1 0 1 w 1 0 1 -2s 1 0 1 -2r 1 0 1 -2s \
        1 0 1 -2t 1 0 1 -2u 1 0 1 -2r 1 0 1 -2s 1 0 1 -2t 1 0 1 -2u 1 0 1 w 1 1 1 -2r 1 0 1 -2s 1 0 1 -2t 1 0 1 -2u \
        1 0 1 -2v 2 0 1 w 1 0 1 -2s 1 0 1 -2t 1 0 1 -2u 1 0 1 -2v 1 0 1 -2s 1 0 1 w 2 0 1 -3j 1 0 1 -3k 1 0 1 -3l 1 \
        0 1 -3m 1 0 1 -3n 1 1 2 -3o 1 0 1 -3n 1 0 1 -3o 1 0 1 -3p 1 0 1 -3q 1 0 1 -3n 1 0 1 -3o 1 0 1 -3p 1 0 1 -3q \
        2 1 1 -3n 1 0 1 -3o 1 0 1 -3p 1 0 1 -3q 1 0 1 -3r 3 0 1 -3o 1 0 1 -3p 1 0 1 -3q 1 0 1 -3r 1 0 1 -3o 2 0 1 \
        -3q 1 0 1 -4f 1 0 1 -4g 1 0 1 -4h 1 0 1 -4i 1 0 1 -4j 1 0 1 -4k 1 0 1 -4j 1 0 1 -4k 1 0 1 -4l 1 0 1 -4m 1 0 \
        1 -4n 1 0 1 -4o 1 0 1 -4p 1 1 1 -4q 1 0 1 -4r 1 0 1 1 2 0 1 -4t 1 0 1 -4u 1 0 1 -4v 1 0 1 -4w 1 0 1 -4x 1 0 \
        1 -4y 1 0 1 -4z 1 0 1 -50 1 0 1 -51 1 0 1 -52 1 0 1 -51 1 0 1 -52 1 0 1 -53 1 0 1 -54 1 0 1 -55 1 0 1 -56 1 \
        0 1 -57 1 1 1 -58 1 0 1 -59 1 0 1 1 2 0 1 -5b 1 0 1 -5c 1 0 1 -5d 1 0 1 -5e 1 0 1 -5f 1 0 1 -5g 1 0 1 -5h 1 \
        0 1 -5i 1 0 1 -5j 2 0 1 1 2 0 1 -5m 1 1 1 -5n 1 0 1 -5o 2 0 1 -5p 1 0 1 -5q 1 0 1 -5r 1 0 1 -5s 1 0 1 -5t 1 \
        0 1 -5u 1 1 2 1 2 0 1 -5x 1 0 1 -5y 1 0 1 -5z 1 0 1 -60 1 0 1 -61 1 0 1 -62 2 0 1 1 2 0 1 -65 1 0 1 -66 1 0 \
        1 -67 1 0 1 -68 1 0 1 -69 1 0 1 -6a 1 0 1 1 2 0 1 -6a 1 0 1 -6b 1 0 1 -6c 1 0 1 -6d 1 0 1 -6e 1 1 1 -6f 1 0 \
        1 -6g 1 0 1 -6h 1 0 1 -6i 1 0 1 -6j 1 0 1 -6k 1 0 1 -6l 1 1 1 -6m 1 0 1 -6n 1 0 1 -6o 1 0 1 -6p 1 0 1 1 2 0 \
        1 -6r 1 0 1 -6s 1 0 1 -6t 1 0 1 -6u 1 0 1 -6v 1 0 1 -6w 1 0 1 -6x 1 0 1 -6y 1 0 1 -6z 1 0 1 -70 1 0 1 -71 1 \
        0 1 -72 1 0 1 -71 1 0 1 -72 1 0 1 -71 1 0 1 -72 1 1 1 -73 1 0 1 -74 1 0 1 -75 1 0 1 -76 1 0 1 -77 1 0 1 -78 \
        1 0 1 -7g 2 0 1 5u 1 1 2 1 2 0 1 5q 1 0 1 1 2 1 1 5p 1 0 1 1 3 0 1 27 1 0 1 5m 1 0 1 5n 1 0 1 1 2 0 1 5p 1 0 \
        1 5r 2 0 1 5v 1 0 1 5t 1 0 1 1 4 0 1 5v 1 0 1 5x 2 0 1 5y 1 0 1 -8h 1 0 1 -8i 1 1 2 1 2 0 1 62 1 0 1 1 2 0 1 \
        62 3 0 1 1 2 0 1 62 1 0 1 -8q 1 0 1 -8r 1 1 1 61 1 1 2 1 2 0 1 63 1 0 1 1 4 0 1 1 8 0 1 2 1 0 1 1 2 0 1 2 1 \
        0 1 1 2 0 1 2 1 0 1 1 2 0 1 -a4 1 0 1 -a5 1 0 1 -9y 1 0 1 -9z 1 0 1 -9u 1 0 1 -9v 1 0 1 -9q 1 0 1 -9r 1 0 1 \
        -9s 1 0 1 -9t 1 0 1 -9u 1 0 1 -9v 1 0 1 -9w 1 0 1 -9x 1 0 1 -9y 1 0 1 -9z 2 0 1 -al 1 0 1 -am 1 2 2 1 2 0 1 \
        -an 1 0 1 -ao 1 0 1 -al 1 0 1 -am 1 0 1 -aj 1 0 1 -ak 1 0 1 -al 1 0 1 -am 1 0 1 1 2 0 1 -au 1 0 1 2 1 0 1 1 \
        2 0 1 -b1 1 0 1 -b2 1 0 1 -2p 1 0 1 -1k 1 0 1 -ay 1 0 1 -az 1 0 1 -bd 1 0 1 -be 1 1 2 1 2 0 1 -bj 1 0 1 -bk \
        1 0 1 -bl 1 0 1 -bm 1 0 1 -bj 1 0 1 -bk 1 0 1 -bl 1 0 1 -bm 1 0 1 -bj 1 0 1 -bk 1 0 1 -bl 1 0 1 -bm 1 0 1 \
        -bh 1 0 1 -bi 1 0 1 -bj 1 0 1 -bk 1 0 1 -bi 1 0 1 -bj 1 0 1 -bk 1 0 1 -bl 1 0 1 -bj 1 0 1 -bk 1 0 1 -bl 1 0 \
        1 -bm 1 0 1 -bp 1 1 1 -bq 1 0 1 -br 1 0 1 1 2 0 1 -c6 1 0 1 -c7 1 0 1 -3m 2 1 2 1 2 0 1 -cl 1 0 1 -cm 1 0 1 \
        -cj 1 0 1 -ck 1 0 1 -cb 1 0 1 -cc 1 0 1 -cd 1 0 1 -ce 1 0 1 -cf 1 0 1 -cg 1 0 1 -ch 1 0 1 -ci 1 0 1 -c9 1 0 \
        1 -ca 7 0 1 8bv 1 0 1 1 2 0 1 -4j 1 0 1 8bs 3 0 1 1 2 0 1 -5f 1 0 1 1x 1 0 1 1z 1 4 2 1 82 1 2 1 4 0 1 1 g 0 \
        1 12 2 2 1 11 2 0 1 1s 2 1 1 1r 2 g 1 w 2 8 1 w n 0 1 1 d 0 1 8 1 0 1 -u 1 0 1 -p 4 0 1 -f 1 0 1 -m 2 b 2 1 \
        2 0 1 -1i 1 0 1 -1c 3 0 1 -1o 1 0 1 -1s 2 0 1 1 2 0 1 -7 1 0 1 1 3 2 1 -3m 1 f 1 28 1 v 1 w 1d g 2 1 a q 2 1 \
        2 0 1 f 1 6 2 1 3 17 2 1 b 11 1 1c 28a 11 1 5ls 2 0 1 5ls 6 0 1 5ls 2lv 0 1 -5un 1 1 1 -5uo 1 0 1 -5up 1 0 1 \
        -5uq 1 0 1 -5ur 1 0 1 -5us 1 1 1 -5ut 1 1 1 -5uu 1 0 1 -5uv 1 0 1 -5uw 1 0 1 -5ux 1 0 1 -5uy 1 0 1 -5uz 1 0 \
        1 -5v0 1 0 1 -5v1 1 0 1 -5v2 1 1 1 -5v3 1 0 1 -5v4 1 0 1 -5v5 1 0 1 -5v6 1 0 1 -5v7 1 0 1 -5v8 1 0 1 -5v9 1 \
        0 1 -5va 1 0 1 -5vb 1 1 1 -5vc 1 1 1 -5vd 1 1 1 -5ve 1 0 1 -5vf 1 0 1 -5vg 1 0 1 -5vh 1 0 1 -5vi 1 0 1 -5vj \
        1 0 1 -5vk 1 0 1 -5vl 1 0 1 -5vm 1 1 1 -5vn 1 0 1 -5vo 1 0 1 -5vp 1 0 1 -5vq 1 0 1 -5vp 1 0 1 -5vq 1 0 1 \
        -5vr 1 0 1 -5vs 1 0 1 -5vt 1 1 1 -5vu 1 0 1 -5vv 1 0 1 -5vw 1 0 1 -5vx 1 0 1 -5vy 1 0 1 -5vz 1 0 1 -5w0 1 1 \
        1 -5w1 1 0 1 -5w2 1 0 1 -5w3 1 0 1 -5w4 1 0 1 -5w5 1 1 1 -5w6 1 0 1 -5w7 1 0 1 -5w8 1 0 1 -5w9 1 0 1 -5wa 1 \
        0 1 -5wb 1 0 1 -5wc 1 1 1 -5wd 1 0 1 -5we 1 0 1 -5wf 1 0 1 -5wg 1 0 1 -5wh 1 0 1 -5wi 1 0 1 -5wj 1 1 1 -5wk \
        1 0 1 -5wl 1 0 1 -5wm 1 0 1 -5wn 1 0 1 -5wm 1 0 1 -5wn 1 0 1 -5wo 1 0 1 -5wp 1 0 1 -5wq 1 0 1 -5wr 1 0 1 \
        -5ws 1 1 1 -5wt 1 0 1 -5wu 1 0 1 -5wv 1 0 1 -5ww 1 0 1 -5wx 1 0 1 -5wy 1 0 1 -5wz 1 0 1 -5x0 1 0 1 -5x1 1 1 \
        1 -5x2 1 0 1 -5x3 1 0 1 -5x4 1 0 1 -5x5 1 0 1 -5x6 1 0 1 -5x7 1 0 1 -5x8 1 1 1 -5x9 1 0 1 -5xa 1 0 1 -5xb 1 \
        0 1 -5xc 1 0 1 -5xd 1 0 1 -5xe 1 0 1 -5xf 1 0 1 -5xg 1 0 1 -5xh 1 1 1 -5xi 1 0 1 -5xj 1 0 1 -5xk 1 1 1 -5xl \
        1 0 1 -5xm 1 0 1 -5xn 1 0 1 -5xo 1 0 1 -5xp 1 0 1 -5xq 1 0 1 -5xr 1 0 1 -5xs 1 0 1 -5xt 1 1 1 -5xu 1 0 1 \
        -5xv 1 0 1 -5xw 1 1 1 -5xx 1 1 1 -5xy 1 0 1 -5xz 1 0 1 -5y0 1 0 1 -5y1 1 0 1 -5y2 1 0 1 -5y3 1 0 1 -5ym 1 0 \
        1 -5yb 1 0 1 -5y9 1 0 1 -5y8 2 0 1 -5yg 3 0 1 -5vj 2 0 1 -5z3 1 0 1 -5z4 1 0 1 -5z5 1 0 1 -5z6 1 0 1 -5z7 1 \
        0 1 -5z8 1 0 1 -5z9 1 0 1 -5za 1 0 1 -5zb 1 0 1 -5zc 1 0 1 -5zd 1 0 1 -5ze 1 0 1 -5zf 1 0 1 -5zg 1 0 1 -5zh \
        1 0 1 -5zi 1 0 1 -5zj 1 0 1 -5zk 1 0 1 -5zl 1 0 1 -5zm 1 0 1 -5zn 1 0 1 -5zo 1 0 1 -5zp 1 0 1 -5zq 1 0 1 \
        -5zn 1 0 1 -5zo 1 0 1 -5zp 1 0 1 -5zq 1 0 1 -5zr 1 0 1 -5zs 1 0 1 -5zt 1 0 1 -5zu 1 0 1 -5zv 1 0 1 -5zw 1 0 \
        1 -5zx 1 0 1 -5zy 1 0 1 -5zz 1 0 1 -600 1 0 1 -601 1 0 1 -602 1 0 1 -5zz 1 0 1 -600 1 0 1 -601 1 0 1 -602 1 \
        0 1 -5zx 1 0 1 -5zy 1 0 1 -5zz 1 0 1 -600 1 0 1 -601 1 0 1 -602 1 0 1 -603 1 0 1 -604 1 0 1 -605 1 0 1 -606 \
        1 0 1 -607 1 0 1 -608 1 0 1 -609 1 0 1 -60a 1 0 1 -60b 1 0 1 -60c 1 0 1 -60d 1 0 1 -60e 1 0 1 -60f 1 0 1 \
        -60g 1 0 1 -60h 1 0 1 -60i 1 0 1 -60j 1 0 1 -60k 1 0 1 -60f 1 0 1 -60g 1 0 1 -60h 1 0 1 -60i 1 0 1 -60j 1 0 \
        1 -60k 1 0 1 -60l 1 0 1 -60m 1 0 1 -60n 1 0 1 -60o 1 0 1 -60p 1 0 1 -60q 1 0 1 -60r 1 0 1 -60s 1 0 1 -60p 1 \
        0 1 -60q 1 0 1 -60r 1 0 1 -60s 1 0 1 -60t 1 0 1 -60u 1 0 1 -60v 1 0 1 -60w 1 2 2 1 a 7 1 -8 9 5 1 -8 b 7 1 \
        -8 9 7 1 -8 9 5 1 -8 c 3 2 -8 9 7 1 -8 p 7 1 -8 9 7 1 -8 9 7 1 -8 9 1 1 -8 1 1 1 -22 1 0 1 -9 2 0 1 -5j9 a 3 \
        1 -2e 1 0 1 -9 c 1 1 -8 1 1 1 -2s d 1 1 -8 1 1 1 -34 1 0 1 -7 c 1 1 -3k 1 1 1 -3i 1 0 1 -9 8a 0 1 -5st 4 0 1 \
        -6gv 1 0 1 -6h6 7 0 1 s 1a f 1 g k 0 1 1 22l 1a 1 1c 1e 0 1 1 2 0 1 -8af 1 0 1 -2xy 1 0 1 -89z 3 2 2 1 2 0 1 \
        -8bg 1 0 1 -8al 1 0 1 -8bj 1 0 1 -8bi 2 0 1 1 3 0 1 1 9 1 1 -8cf 1 1d 2 1 9 1 2 1 5 0 1 1 nym m 2 1 k b 2 1 \
        3w 6 2 1 4 u 2 1 b 1 2 1 2 0 1 -r9g 1 4 2 1 5 0 1 1 2 0 1 -wmg 3 1 2 1 e 4 2 1 2 0 1 -wn8 h9z p 1 w xy 13 1 \
        14
        """
}
