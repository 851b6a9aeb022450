// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.fuse.FuseException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Owners of files, on a machine with some accounts. */
class OwnersTest {
    private static final int NOBODY = 65_534;

    private final Map<String, Integer> accounts =
            new TreeMap<>(Map.of("root", 0, "toor", 0, "alice", 1000, "nobody", NOBODY));
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();

    private final NameService service = new NameService() {
        @Override
        public Optional<Account> named(String name) {
            asked.incrementAndGet();
            return Optional.ofNullable(accounts.get(name)).map(number -> new Account(name, number));
        }

        @Override
        public Optional<Account> numbered(int number) {
            asked.incrementAndGet();
            return accounts.entrySet().stream()
                    .filter(each -> each.getValue() == number)
                    .map(each -> new Account(each.getKey(), number))
                    .findFirst();
        }
    };

    private final Owners owners = new Owners(false, Map.of(), service, now::get);

    private static boolean isNoAccount(int number) {
        return number >= Owners.FIRST_UNKNOWN && number < Owners.FIRST_UNKNOWN + Owners.UNKNOWN_NUMBERS;
    }

    @Test
    void anAccountHasItsNameInTheTable() throws FuseException {
        assertThat(owners.text(1000)).isEqualTo("alice");
        assertThat(owners.number("alice")).isEqualTo(1000);
    }

    @Test
    void rootAndAccountsWithoutANameHaveMarkedNumbers() throws FuseException {
        for (int number : List.of(0, 1, 4711, -2)) {
            assertThat(owners.text(number)).isEqualTo("#" + Integer.toUnsignedString(number));
            assertThat(owners.number(owners.text(number))).isEqualTo(number);
        }
    }

    /** The names are those that a client of the table can have, or can leave out. */
    @Test
    void noNameOfAClientIsRootOrAnotherAccount() throws FuseException {
        Set<Integer> numbers = new HashSet<>();
        List<String> names = List.of(
                "",
                "0",
                "00",
                "1000",
                "+0",
                "-1",
                "root",
                "toor",
                "stranger",
                "other",
                "#",
                "#00",
                "#-1",
                "#x",
                "#4294967295",
                "#4294967296",
                "ALICE",
                "alice:x",
                "--help",
                "a b",
                "\u00e9",
                "2013265921",
                "#2013265921");
        for (String name : names) {
            int number = owners.number(name);
            assertThat(isNoAccount(number)).as(name).isTrue();
            assertThat(owners.text(number)).as("and back").isEqualTo(name);
            numbers.add(number);
        }
        assertThat(numbers).hasSize(names.size());
    }

    @Test
    void whatStandsForNoAccountHasOneNumberOnAllMachines() {
        Owners elsewhere = new Owners(false, Map.of(), service, now::get);
        assertThat(owners.number("first")).isNotEqualTo(owners.number("stranger"));
        assertThat(elsewhere.number("stranger")).isEqualTo(owners.number("stranger"));
    }

    @Test
    void aNumberThatAnAccountHasIsNotGivenToAStranger() {
        accounts.put("taken", owners.number("stranger"));
        Owners elsewhere = new Owners(false, Map.of(), service, now::get);
        assertThat(elsewhere.number("stranger")).isEqualTo(owners.number("stranger") + 1);
    }

    @Test
    void aNumberOfAStrangerThatWasNotShownIsRefused() {
        assertThatThrownBy(() -> owners.text(Owners.FIRST_UNKNOWN)).isInstanceOf(FuseException.class);
    }

    @Test
    void anOperatorMapsWhatIsNoAccountOtherwise() throws FuseException {
        Map<String, Integer> map = Map.of("root", 0, "", 4000, "17", 17, "alice", 2000);
        Owners mapped = new Owners(false, map, service, now::get);
        for (Map.Entry<String, Integer> each : map.entrySet()) {
            assertThat(mapped.number(each.getKey())).isEqualTo(each.getValue());
            assertThat(mapped.text(each.getValue())).isEqualTo(each.getKey());
        }
        assertThat(mapped.text(1000)).as("the name is another user's now").isEqualTo("#1000");
    }

    @Test
    void numbersInTreesOfImagesAreThemselves() throws FuseException {
        Owners trees = new Owners(true, Map.of(), service, now::get);
        for (int number : List.of(0, 12, 1000, -2)) {
            assertThat(trees.text(number)).isEqualTo(Integer.toUnsignedString(number));
            assertThat(trees.number(trees.text(number))).isEqualTo(number);
        }
        assertThat(trees.number("")).isZero();
        // Containers of an older version have these.
        assertThat(trees.number("root")).isZero();
        assertThat(trees.number("alice")).isEqualTo(1000);
        assertThat(isNoAccount(trees.number("stranger"))).isTrue();
    }

    @Test
    void aNameIsAskedForOnceInAWhile() {
        int first = owners.number("alice");
        int before = asked.get();
        accounts.put("alice", 1001);
        assertThat(owners.number("alice")).isEqualTo(first);
        assertThat(asked.get()).isEqualTo(before);
        now.addAndGet(Duration.ofMinutes(11).toNanos());
        assertThat(owners.number("alice")).isEqualTo(1001);
    }

    @Test
    void usersKeepTheirFilesWhileTheNameServiceIsAway() throws FuseException {
        assertThat(owners.number("alice")).isEqualTo(1000);
        assertThat(owners.text(1000)).isEqualTo("alice");
        accounts.remove("alice");
        now.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(owners.number("alice")).isEqualTo(1000);
        assertThat(owners.text(1000)).isEqualTo("alice");
        now.addAndGet(Duration.ofDays(1).toNanos());
        assertThat(isNoAccount(owners.number("alice"))).isTrue();
    }

    @Test
    void aUserWhoWasAddedIsFoundSoon() {
        assertThat(isNoAccount(owners.number("bob"))).isTrue();
        accounts.put("bob", 1002);
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(owners.number("bob")).isEqualTo(1002);
    }

    @Test
    void getentKnowsTheAccountsOfThisMachine() throws IOException {
        for (NameService each : List.of(Getent.users(), Getent.usersBy("/no/such/program"))) {
            assertThat(each.numbered(0)).contains(new NameService.Account("root", 0));
            assertThat(each.named("root")).contains(new NameService.Account("root", 0));
            assertThat(each.named("no-such-user-here")).isEmpty();
        }
    }

    @Test
    void aMapOfOwnersComesBackFromItsOptions() {
        OwnerMap map = OwnerMap.of(List.of("=0", "root=5", "a=7"), List.of());
        assertThat(map.users()).containsOnly(Map.entry("", 0), Map.entry("root", 5), Map.entry("a", 7));
        assertThatThrownBy(() -> OwnerMap.of(List.of("root"), List.of()))
                .hasMessageContaining("'root' is not NAME=NUMBER");
        assertThatThrownBy(() -> OwnerMap.of(List.of("a=1", "b=1"), List.of())).hasMessageContaining("one number");
        assertThatThrownBy(() -> OwnerMap.of(List.of("a=-1"), List.of())).hasMessageContaining("is not NAME=NUMBER");
    }
}
