// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.Utf8Order;
import io.packing.seed.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Listings against a sorted set of keys: what S3 answers by its documentation. */
class ListingModelTest {
    private static final FilePath BUCKET = new FilePath("/bucket");
    /** Parts and signs that lie close to each other, to a slash, and to the names that the gateway escapes. */
    private static final List<String> PIECES = List.of(
            "a",
            "b",
            "/",
            "/",
            "/",
            "-",
            ".",
            "..",
            ".%",
            ".%2E",
            ".%=",
            "%",
            "!",
            "0",
            " ",
            ".snapshot",
            "\u00e9",
            "\uffee",
            "\ud83d\ude00",
            "\u0001",
            "$");

    private final Random random = Seed.random();

    private String text(int most) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(most) + 1; left > 0; left--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    /** Makes the page that a sorted set has. */
    private static List<String> expected(
            NavigableSet<String> keys, ObjectListing.Query query, KeyBound start, List<String> next) {
        List<String> page = new ArrayList<>();
        String rolledUp = null;
        for (String key : keys) {
            if (!key.startsWith(query.prefix()) || !start.admits(key)) {
                continue;
            }
            if (rolledUp != null && key.startsWith(rolledUp)) {
                continue;
            }
            if (page.size() == query.most()) {
                next.add(page.get(page.size() - 1));
                return page;
            }
            int at = query.delimiter().isEmpty()
                    ? -1
                    : key.indexOf(query.delimiter(), query.prefix().length());
            if (at < 0) {
                page.add("k" + key);
            } else {
                rolledUp = key.substring(0, at + query.delimiter().length());
                page.add("p" + rolledUp);
            }
        }
        return page;
    }

    private static List<String> listed(ObjectListing.Found found) {
        NavigableSet<String> all = new TreeSet<>((one, other) -> {
            int byText = Utf8Order.INSTANCE.compare(one.substring(1), other.substring(1));
            return byText != 0 ? byText : one.compareTo(other);
        });
        found.files.forEach(each -> all.add("k" + each.key()));
        found.prefixes.forEach(each -> all.add("p" + each));
        return List.copyOf(all);
    }

    private void play(NavigableSet<String> keys, NamesInMemory names) throws IOException {
        List<String> delimiters = List.of("", "/", "/", "-", ".", "a/", "//");
        for (int round = 0; round < 60; round++) {
            String prefix = random.nextInt(3) == 0 ? "" : random.nextBoolean() ? cut(keys) : text(3);
            ObjectListing.Query query = new ObjectListing.Query(
                    prefix, delimiters.get(random.nextInt(delimiters.size())), random.nextInt(12) + 1);
            KeyBound start = random.nextInt(3) == 0
                    ? KeyBound.NONE
                    : new KeyBound(random.nextBoolean() ? cut(keys) : text(4), false);
            for (int page = 0; page < 100; page++) {
                String what = "keys %s, %s, behind %s".formatted(keys, query, start);
                List<String> next = new ArrayList<>();
                List<String> expected = expected(keys, query, start, next);
                ObjectListing.Found found = new ObjectListing.Found(query.most());
                ObjectListing.walk(names, BUCKET, query, start, found);
                assertThat(listed(found)).as(what).isEqualTo(expected);
                assertThat(found.files.stream().map(UserMount.KeyedFile::key))
                        .as(what)
                        .isSortedAccordingTo(Utf8Order.INSTANCE);
                assertThat(found.isTruncated).as(what).isEqualTo(!next.isEmpty());
                if (next.isEmpty()) {
                    break;
                }
                start = KeyBound.ofToken(found.last.token());
            }
        }
    }

    private String cut(NavigableSet<String> keys) {
        List<String> all = List.copyOf(keys);
        String key = all.get(random.nextInt(all.size()));
        int end = random.nextInt(key.length() + 1);
        return end > 0 && end < key.length() && Character.isLowSurrogate(key.charAt(end))
                ? key.substring(0, end - 1)
                : key.substring(0, end);
    }

    @Test
    void everyPageOfRandomKeysIsThatOfASortedSet() throws IOException {
        for (int bucket = 0; bucket < 60; bucket++) {
            NavigableSet<String> keys = new TreeSet<>(Utf8Order.INSTANCE);
            NamesInMemory names = new NamesInMemory(BUCKET);
            for (int i = random.nextInt(40) + 1; i > 0; i--) {
                String key = text(5);
                names.add(key);
                keys.add(key);
            }
            play(keys, names);
        }
    }

    @Test
    void directoriesLieBehindFilesWhoseNamesBeginWithTheirs() throws IOException {
        NamesInMemory names = new NamesInMemory(BUCKET);
        for (String key : List.of("a/b", "a-b", "a", "a.b/c", "a0", "b", "a/", "a//c")) {
            names.add(key);
        }
        ObjectListing.Found found = new ObjectListing.Found(1_000);
        ObjectListing.walk(names, BUCKET, new ObjectListing.Query("", "", 1_000), KeyBound.NONE, found);
        assertThat(found.files.stream().map(UserMount.KeyedFile::key))
                .containsExactly("a", "a-b", "a.b/c", "a/", "a//c", "a/b", "a0", "b");
    }

    @Test
    void directoriesBelowAPrefixAreNotListedThemselves() throws IOException {
        NamesInMemory names = new NamesInMemory(BUCKET);
        for (int directory = 0; directory < 500; directory++) {
            for (int file = 0; file < 3; file++) {
                names.add("d%03d/f%d".formatted(directory, file));
            }
        }
        ObjectListing.Found found = new ObjectListing.Found(1_000);
        ObjectListing.walk(names, BUCKET, new ObjectListing.Query("", "/", 1_000), KeyBound.NONE, found);
        assertThat(found.prefixes).hasSize(500);
        assertThat(names.requests()).isLessThanOrEqualTo(2);
        long before = names.requests();
        ObjectListing.Found page = new ObjectListing.Found(10);
        ObjectListing.walk(names, BUCKET, new ObjectListing.Query("d25", "", 10), new KeyBound("d255/f1", false), page);
        assertThat(page.files.get(0).key()).isEqualTo("d255/f2");
        assertThat(names.requests() - before).isLessThan(20);
    }
}
