// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.owner;

import com.google.common.hash.Hashing;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.posix.owner.NameService.Account;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * The numbers of users, or of groups, and their texts in the table (docs/fuse.md, "Owners"). The table has names, as
 * the other doors write them. An account without a name, and root, are {@code #NUMBER} there, which is no name that a
 * client can have. A name without an account on this machine gets a number that no account has. Thread-safe.
 */
public final class Owners {
    /**
     * The first number of owners without an account here: above those that SSSD gives, and below those of other sorts.
     */
    static final int FIRST_UNKNOWN = 0x7800_0000;

    static final int UNKNOWN_NUMBERS = 1 << 26;

    private static final int ROOT = 0;
    private static final int NOT_A_NUMBER = -1;
    private static final char MARK = '#';
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,9}");
    /** The form of a name; {@code getent} takes one of digits only for a number. */
    private static final Pattern NAME = Pattern.compile("(?![0-9]*$)[!-~&&[^#:,/+-]][!-~&&[^:,/]]{0,254}");

    private final boolean numbers;
    private final KnownAccounts accounts;
    private final Map<String, Integer> mapped;
    private final Map<Integer, String> mappedNames = new HashMap<>();
    // Guarded by itself, as are the names.
    private final Map<String, Integer> unknown = new HashMap<>();
    private final Map<Integer, String> unknownNames = new HashMap<>();

    Owners(boolean numbers, Map<String, Integer> mapped, NameService service, LongSupplier nanoTime) {
        this.numbers = numbers;
        this.accounts = new KnownAccounts(service, nanoTime);
        this.mapped = mapped;
        mapped.forEach((name, number) -> mappedNames.put(number, name));
    }

    /** Returns the users of this machine. */
    public static Owners users(OwnerMap map, LongSupplier nanoTime) {
        return new Owners(map.numbers(), map.users(), Getent.users(), nanoTime);
    }

    /** Returns the groups of this machine. */
    public static Owners groups(OwnerMap map, LongSupplier nanoTime) {
        return new Owners(map.numbers(), map.groups(), Getent.groups(), nanoTime);
    }

    /**
     * Returns the table's text for a number.
     *
     * @throws FuseException for a number of an owner without an account that this server has not shown
     */
    public String text(int number) throws FuseException {
        String name = mappedNames.get(number);
        if (name != null) {
            return name;
        }
        if (numbers) {
            return Integer.toUnsignedString(number);
        }
        if (isOfUnknown(number)) {
            return shownAs(number).orElseThrow(() -> new FuseException(Errno.EINVAL));
        }
        Optional<String> account = number == ROOT
                ? Optional.empty()
                : accounts.numbered(number)
                        .map(Account::name)
                        .filter(each -> isName(each) && !mapped.containsKey(each));
        return account.orElseGet(() -> MARK + Integer.toUnsignedString(number));
    }

    /** Returns the number for a text of the table. No two texts have one number, except names of one account. */
    public int number(String text) {
        Integer number = mapped.get(text);
        if (number != null) {
            return number;
        }
        if (numbers && (text.isEmpty() || NUMBER.matcher(text).matches())) {
            return text.isEmpty() ? ROOT : parse(text).orElseGet(() -> unknown(text));
        }
        if (!text.isEmpty() && text.charAt(0) == MARK) {
            return parse(text.substring(1)).filter(each -> !isOfUnknown(each)).orElseGet(() -> unknown(text));
        }
        Optional<Integer> account = isName(text)
                ? accounts.named(text).map(Account::number).filter(each -> numbers || each != ROOT)
                : Optional.empty();
        return account.filter(each -> !isOfUnknown(each)).orElseGet(() -> unknown(text));
    }

    private static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Reads a number in the form that this class writes. */
    private static Optional<Integer> parse(String text) {
        if (!NUMBER.matcher(text).matches() || Long.parseLong(text) >= Integer.toUnsignedLong(NOT_A_NUMBER)) {
            return Optional.empty();
        }
        return Optional.of(Integer.parseUnsignedInt(text));
    }

    private static boolean isOfUnknown(int number) {
        return number >= FIRST_UNKNOWN && number < FIRST_UNKNOWN + UNKNOWN_NUMBERS;
    }

    private Optional<String> shownAs(int number) {
        synchronized (unknown) {
            return Optional.ofNullable(unknownNames.get(number));
        }
    }

    /**
     * Returns the number of a text without an account: every machine derives it from the text, unless two texts
     * collide.
     */
    private int unknown(String text) {
        synchronized (unknown) {
            Integer has = unknown.get(text);
            if (has != null) {
                return has;
            }
            int hash = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asInt();
            for (int i = 0; ; i++) {
                int number = FIRST_UNKNOWN + ((hash + i) & (UNKNOWN_NUMBERS - 1));
                if (!unknownNames.containsKey(number)
                        && accounts.numbered(number).isEmpty()) {
                    unknown.put(text, number);
                    unknownNames.put(number, text);
                    return number;
                }
            }
        }
    }
}
