// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.store.ObjectInfo;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTreeTest {
    private static final AdoptionSource SOURCE = new AdoptionSource("bucket", "in/");

    private static KeyTree tree(String... own) {
        return new KeyTree(SOURCE, new FilePath("/to"), List.of(own));
    }

    private static ObjectInfo object(String key) {
        return new ObjectInfo("in/" + key, 1, "v");
    }

    private static String refusal(String key) {
        return tree().next(object(key)) instanceof KeyVerdict.Refused no ? no.reason() : "";
    }

    @Test
    void aKeyBecomesAPathBelowTheTarget() {
        assertThat(tree().next(object("a/b c"))).isEqualTo(new KeyVerdict.File(new FilePath("/to/a/b c")));
        KeyTree root = new KeyTree(new AdoptionSource("bucket", ""), FilePath.ROOT, List.of());
        assertThat(root.next(object("a"))).isEqualTo(new KeyVerdict.File(new FilePath("/in/a")));
    }

    @ParameterizedTest
    @CsvSource({
        "a/../b, component '..'",
        "./a, component '.'",
        "a//b, component ''",
        "/a, component ''",
        "a/, marks a directory",
        ".snapshot/a, a snapshot is never changed",
    })
    void aKeyThatIsNoPathIsRefusedWithTheReason(String key, String reason) {
        assertThat(refusal(key)).contains(reason);
    }

    @Test
    void nulLongNamesAndHugeObjectsAreRefused() {
        assertThat(refusal("a\0b")).contains("contains NUL");
        assertThat(refusal("k".repeat(2_000))).contains("a name of 2,000 bytes, at most 255");
        KeyVerdict huge = tree().next(new ObjectInfo("in/huge", KeyTree.MOST_BYTES + 1, "v"));
        assertThat(huge).isInstanceOf(KeyVerdict.Refused.class);
        assertThat(((KeyVerdict.Refused) huge).reason()).contains("at most 68,719,476,736");
        KeyTree root = new KeyTree(new AdoptionSource("bucket", ""), FilePath.ROOT, List.of());
        assertThat(root.next(new ObjectInfo(".reserved/x", 1, "v"))).isInstanceOf(KeyVerdict.Refused.class);
        assertThat(tree().next(new ObjectInfo("in/a", 1, ""))).isInstanceOf(KeyVerdict.Refused.class);
    }

    @Test
    void theMountsOwnObjectsArePassedOver() {
        KeyTree tree = tree("in/mount/blobs/", "in/mount/bdt/");
        assertThat(tree.next(object("mount/bdt/epoch"))).isInstanceOf(KeyVerdict.Own.class);
        assertThat(tree.next(object("mount/blobs/00/x"))).isInstanceOf(KeyVerdict.Own.class);
        assertThat(tree.next(object("mount/other"))).isInstanceOf(KeyVerdict.File.class);
    }

    /** In the order of a listing, an object is refused if, and only if, one that was taken is a directory of its path. */
    @Test
    void anObjectBelowAnotherOneIsRefused() {
        Random random = new Random(Seed.value());
        for (int round = 0; round < 500; round++) {
            TreeSet<String> keys = new TreeSet<>();
            for (int i = 0; i < 30; i++) {
                StringBuilder key = new StringBuilder("a");
                for (int length = random.nextInt(7); length > 0; length--) {
                    key.append("ab/-0".charAt(random.nextInt(5)));
                }
                keys.add(key.toString().replaceAll("/+", "/").replaceAll("/$", ""));
            }
            KeyTree tree = tree();
            Set<String> taken = new TreeSet<>();
            for (String key : keys) {
                boolean below = taken.stream().anyMatch(file -> key.startsWith(file + "/"));
                assertThat(tree.next(object(key)))
                        .as("%s after %s", key, taken)
                        .isInstanceOf(below ? KeyVerdict.Refused.class : KeyVerdict.File.class);
                if (!below) {
                    taken.add(key);
                }
            }
        }
    }
}
