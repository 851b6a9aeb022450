// SPDX-License-Identifier: Apache-2.0
package io.packing.options;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parsers of option values: sizes, durations, counts, switches and choices. */
public final class Parsers {
    /**
     * The most characters of a value. Options come over the network, too, and a number of many digits takes long to
     * make.
     */
    private static final int MOST_CHARS = 100;

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([a-zA-Z]*)");

    /** The form of a number, with few digits in the exponent: no option is a number of a billion digits. */
    private static final Pattern NUMBER =
            Pattern.compile("([+-]?[0-9]+(?:_[0-9]+)*(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?)([kKMGT]?)");

    private Parsers() {}

    /**
     * Parses a large number in the forms of people: {@code 100000000}, {@code 100_000_000}, {@code 1e8}, {@code 100M}.
     * K, M, G and T are powers of 1,000; those of {@link #bytes} are powers of 1,024.
     */
    public static BigDecimal number(String text) {
        Matcher m = NUMBER.matcher(text.strip());
        if (text.length() > MOST_CHARS || !m.matches()) {
            throw new IllegalArgumentException("expected a number such as 1500, 1.5, 100_000_000, 1e8 or 100M");
        }
        int thousands = " KMGT".indexOf(m.group(2).isEmpty() ? " " : m.group(2).toUpperCase(Locale.ROOT));
        return new BigDecimal(m.group(1).replace("_", "")).scaleByPowerOfTen(3 * thousands);
    }

    /** Parses a {@link #number} without a fraction. */
    public static long whole(String text) {
        try {
            BigInteger value = number(text).toBigIntegerExact();
            if (value.bitLength() < Long.SIZE) {
                return value.longValue();
            }
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("expected a whole number", e);
        }
        throw new IllegalArgumentException("expected a number between -2^63 and 2^63");
    }

    /**
     * Parses bytes, with an optional binary unit: {@code 8KB}, {@code 1.5 GiB}, {@code 512}. KB and KiB are both 1024.
     */
    public static long bytes(String text) {
        Matcher m = NUMBER_AND_UNIT.matcher(text);
        if (text.length() <= MOST_CHARS && m.matches()) {
            int shift = switch (m.group(2).toUpperCase(Locale.ROOT)) {
                case "", "B" -> 0;
                case "K", "KB", "KIB" -> 10;
                case "M", "MB", "MIB" -> 20;
                case "G", "GB", "GIB" -> 30;
                case "T", "TB", "TIB" -> 40;
                default -> -1;
            };
            if (shift >= 0) {
                try {
                    return new BigDecimal(m.group(1))
                            .multiply(BigDecimal.valueOf(1L << shift))
                            .longValueExact();
                } catch (ArithmeticException e) {
                    throw new IllegalArgumentException("not a whole number of bytes below 2^63", e);
                }
            }
        }
        throw new IllegalArgumentException("expected a size such as 64MB, 1GB or 4096");
    }

    /** Parses a duration with its unit: {@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}. */
    public static Duration duration(String text) {
        Matcher m = NUMBER_AND_UNIT.matcher(text);
        if (text.length() <= MOST_CHARS && m.matches()) {
            long unitMicros = switch (m.group(2).toLowerCase(Locale.ROOT)) {
                case "us" -> 1;
                case "ms" -> 1_000;
                case "s" -> 1_000_000;
                case "m", "min" -> 60_000_000;
                case "h" -> 3_600_000_000L;
                case "d" -> 86_400_000_000L;
                default -> 0;
            };
            if (unitMicros > 0) {
                try {
                    long micros = new BigDecimal(m.group(1))
                            .multiply(BigDecimal.valueOf(unitMicros))
                            .longValueExact();
                    return Duration.ofNanos(Math.multiplyExact(micros, 1_000L));
                } catch (ArithmeticException e) {
                    throw new IllegalArgumentException("not a whole number of microseconds below 292 years", e);
                }
            }
        }
        throw new IllegalArgumentException("expected a duration with its unit, such as 500ms, 5s, 2m or 1h");
    }

    /** Returns a parser of whole numbers between two bounds, both included. */
    public static Function<String, Integer> count(int least, int most) {
        return text -> {
            long value;
            try {
                value = whole(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(outside(least, most), e);
            }
            if (value < least || value > most) {
                throw new IllegalArgumentException(outside(least, most));
            }
            return Math.toIntExact(value);
        };
    }

    private static String outside(int least, int most) {
        return "expected a whole number from %d to %d".formatted(least, most);
    }

    /** Reads a share of a whole, 0 to 1. */
    public static Double share(String text) {
        if (text.matches("[0-9]{1,9}([.][0-9]{1,9})?|[.][0-9]{1,9}")) {
            double share = Double.parseDouble(text);
            if (share <= 1) {
                return share;
            }
        }
        throw new IllegalArgumentException("expected a number from 0 to 1, such as 0.3");
    }

    /** Reads an amount of money, 0 and more, in dollars. */
    public static Double amount(String text) {
        if (text.matches("[0-9]{1,9}([.][0-9]{1,12})?|[.][0-9]{1,12}")) {
            return Double.parseDouble(text);
        }
        throw new IllegalArgumentException("expected dollars, such as 0.25");
    }

    /** Reads a price above 0, in dollars. */
    public static Double price(String text) {
        double price = amount(text);
        if (price == 0) {
            throw new IllegalArgumentException("expected dollars above 0, such as 0.000005");
        }
        return price;
    }

    /** Returns a parser of sizes between two bounds, both included. */
    public static Function<String, Long> bytesBetween(long least, long most) {
        return text -> {
            long value = bytes(text);
            if (value < least || value > most) {
                throw new IllegalArgumentException("expected a size from %d to %d bytes".formatted(least, most));
            }
            return value;
        };
    }

    /** Parses {@code true} or {@code false}. */
    public static Boolean flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("expected true or false");
        };
    }

    /** Returns a parser of the lower-case names of an enum's constants ({@code _} written as {@code -}). */
    public static <E extends Enum<E>> Function<String, E> choice(Class<E> type) {
        return text -> {
            StringBuilder valid = new StringBuilder();
            for (E constant : type.getEnumConstants()) {
                String name = constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
                if (name.equals(text.toLowerCase(Locale.ROOT))) {
                    return constant;
                }
                valid.append(valid.length() == 0 ? "" : ", ").append(name);
            }
            throw new IllegalArgumentException("expected one of " + valid);
        };
    }

    /** Returns any text unchanged. */
    public static String text(String text) {
        return text;
    }
}
