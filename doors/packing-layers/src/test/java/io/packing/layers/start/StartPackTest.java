// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.BlobName;
import io.packing.seed.Seed;
import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StartPackTest {
    private static final BlobName BLOB = new BlobName("w-1", 1L << 30, 1_700_000_000_000_000L);

    private static Set<BlobPage> pages(long from, long to) {
        return new LinkedHashSet<>(
                LongStream.range(from, to).mapToObj(i -> new BlobPage(BLOB, i)).toList());
    }

    private static StartPack.Asked asked(long from, long to, String... directories) {
        return new StartPack.Asked(pages(from, to), new LinkedHashSet<>(List.of(directories)));
    }

    private static Optional<StartPack> pack(long from, long to, String... directories) {
        return Optional.of(StartPack.of(asked(from, to, directories)));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        assertThat(StartPack.decode(pack(3, 90).orElseThrow().encode()))
                .isEqualTo(pack(3, 90).orElseThrow());
        StartPack both = pack(3, 9, "/", "/usr/lib", "/usr/lib/", "/söme dir").orElseThrow();
        assertThat(StartPack.decode(both.encode())).isEqualTo(both);
        assertThat(StartPack.decode(new byte[0]).pages()).isEmpty();
    }

    @Test
    void hostileIndexesAreRefused() {
        String good = BLOB + " 7\n";
        byte[] most = pack(0, StartPack.MOST_PAGES).orElseThrow().encode();
        String many = new String(most, StandardCharsets.US_ASCII) + BLOB + " " + StartPack.MOST_PAGES + "\n";
        for (String text : List.of(
                "x",
                " ",
                BLOB + "\n",
                BLOB + " \n",
                BLOB + " -1\n",
                BLOB + " 7 \n",
                BLOB + " 99999999999999999999\n",
                BLOB + " " + Long.MAX_VALUE + "\n",
                BLOB + " 4096\n",
                "../etc-1-2 0\n",
                good + good,
                "/usr\n" + good + "/usr\n",
                "/usr/../etc\n",
                "//\n",
                "/usr//\n",
                "/usr//lib\n",
                "/" + String.join("\n/", numbers(StartPack.MOST_NAMES + 1)) + "\n",
                many)) {
            assertThatThrownBy(() -> StartPack.decode(text.getBytes(StandardCharsets.US_ASCII)))
                    .as(text)
                    .isInstanceOf(IOException.class);
        }
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    @Test
    void theLongestPackFitsItsLimit() {
        String[] long250 = numbers(2_000).stream()
                .map(each -> "/" + "x".repeat(245) + each)
                .toArray(String[]::new);
        StartPack pack = StartPack.of(asked(0, 1_000, long250));
        assertThat(pack.names()).hasSize(StartPack.MOST_NAMES);
        assertThat(pack.encode()).hasSizeLessThan(StartPack.MOST_BYTES);
    }

    @Test
    void namesAreLookedUpOrListed() {
        List<String> names = List.of("/", "/usr/bin/env", "/etc/", "/usr/lib/x86", "/usr/bin/cc");
        StartPack pack = StartPack.of(new StartPack.Asked(Set.of(), new LinkedHashSet<>(names)));
        assertThat(pack.paths()).containsExactly("/usr/bin/env", "/usr/lib/x86", "/usr/bin/cc");
        assertThat(pack.directories()).containsExactly("/", "/etc");
        assertThat(StartPack.searched(names)).containsExactly("/", "/usr/bin", "/etc", "/usr/lib");
        assertThat(StartPack.listed("/")).isEqualTo("/");
        assertThat(StartPack.listed("/etc")).isEqualTo("/etc/");
    }

    @Test
    void namesThatAreLackingAreAddedToWhatIsKept() {
        assertThat(StartPack.next(pack(0, 40), asked(0, 40, "/", "/usr"))).isEqualTo(pack(0, 40, "/", "/usr"));
        assertThat(StartPack.next(pack(0, 40, "/"), asked(0, 40, "/", "/usr"))).isEqualTo(pack(0, 40, "/", "/usr"));
        assertThat(StartPack.next(pack(0, 40, "/", "/usr"), asked(0, 40, "/usr")))
                .isEmpty();
        assertThat(StartPack.next(pack(0, 40), asked(0, 40, "/a\nb")))
                .as("a name that cannot be kept")
                .isEmpty();
        assertThat(StartPack.next(pack(0, 40, "/"), asked(100, 140, "/usr"))).isEqualTo(pack(100, 140, "/usr"));
    }

    @Test
    void anyDamageIsRefusedOrIsAnotherPack() {
        Random random = Seed.random();
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = pack(0, 20, "/", "/usr/lib").orElseThrow().encode();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            try {
                assertThat(StartPack.decode(bytes).pages()).hasSizeLessThanOrEqualTo(20);
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("start");
            }
        }
    }

    @Test
    void piecesGrowAndHaveAllPagesInTheirOrder() {
        StartPack pack = pack(0, 50).orElseThrow();
        List<BlobPage> all = new ArrayList<>();
        pack.pieces().forEach(all::addAll);
        assertThat(all).isEqualTo(pack.pages());
        assertThat(pack.pieces().stream().map(List::size)).containsExactly(4, 8, 16, 16, 6);
        assertThat(pack(0, 0).orElseThrow().pieces()).isEmpty();
    }

    @Test
    void theFirstStartIsKeptUpToALimit() {
        assertThat(StartPack.next(Optional.empty(), asked(0, 5))).isEqualTo(pack(0, 5));
        assertThat(StartPack.next(Optional.empty(), asked(0, 1_000))).isEqualTo(pack(0, StartPack.MOST_PAGES));
        assertThat(StartPack.next(Optional.empty(), asked(0, 0, "/usr"))).isEmpty();
    }

    @Test
    void aStartThatAsksForWhatIsKeptChangesNothing() {
        assertThat(StartPack.next(pack(0, 40), asked(0, 40))).isEmpty();
        assertThat(StartPack.next(pack(0, 40), asked(5, 45))).as("five more").isEmpty();
        assertThat(StartPack.next(pack(0, 40), asked(0, 0, "/usr"))).isEmpty();
    }

    @Test
    void whatAMachineHadInMemoryIsNotForgottenByItsStart() {
        assertThat(StartPack.next(pack(0, 40), asked(40, 50))).isEqualTo(pack(0, 50));
        int others = StartPack.MOST_PAGES + 44;
        assertThat(StartPack.next(pack(0, StartPack.MOST_PAGES), asked(others, others + 40)))
                .as("it is full")
                .isEmpty();
    }

    @Test
    void aStartThatFindsNothingOfWhatIsKeptReplacesIt() {
        assertThat(StartPack.next(pack(0, 40), asked(100, 140))).isEqualTo(pack(100, 140));
        assertThat(StartPack.next(pack(0, 40), asked(30, 60))).isEqualTo(pack(30, 60));
    }
}
