// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Listings of keys, page by page. */
public final class ObjectListing {
    /** The most keys and prefixes of a page. */
    public static final int MOST_KEYS = 1_000;

    private static final int LEAST_PAGE = 16;

    private final KeyPaths paths;

    public ObjectListing(KeyPaths paths) {
        this.paths = paths;
    }

    /**
     * The keys that a client wants.
     *
     * @param prefix with which they begin
     * @param delimiter behind the prefix, where keys are rolled up; empty: none are
     * @param most keys and prefixes of a page
     */
    public record Query(String prefix, String delimiter, int most) {}

    /** A bound of a listing, as clients name it. */
    public static final class Start {
        private final KeyBound bound;

        private Start(KeyBound bound) {
            this.bound = bound;
        }

        /** Begins with the first key. */
        public static Start first() {
            return new Start(KeyBound.NONE);
        }

        /** Goes on behind a key. */
        public static Start after(String key) {
            return new Start(new KeyBound(key, false));
        }

        /** Goes on behind all keys with a beginning. */
        public static Start afterPrefix(String prefix) {
            return new Start(new KeyBound(prefix, true));
        }

        /** Goes on where a page ended. */
        public static Start ofToken(String token) throws S3Exception {
            return new Start(KeyBound.ofToken(token));
        }
    }

    /**
     * A page of a listing.
     *
     * @param last key or prefix of the page; empty: it has none
     * @param token of the page behind it; empty: there is none
     */
    public record Page(List<StoredObject> objects, List<String> prefixes, String last, Optional<String> token) {}

    /** Lists a page of a bucket, whose keys are those of one moment for each directory. */
    public Page list(UserMount mount, String bucket, Query query, Start start) throws IOException {
        FilePath directory = paths.bucket(bucket);
        Found found = new Found(query.most());
        if (query.most() > 0) {
            walk(new MountSource(mount.bdt()), directory, query, start.bound, found);
        }
        if (found.isEmpty() && !MountBuckets.exists(mount, directory)) {
            throw S3Exception.noSuchBucket(bucket);
        }
        return new Page(
                mount.infos(found.files),
                found.prefixes,
                found.last.text(),
                found.isTruncated ? Optional.of(found.last.token()) : Optional.empty());
    }

    /** The content of a page that grows. */
    static final class Found {
        private final int most;
        final List<UserMount.KeyedFile> files = new ArrayList<>();
        final List<String> prefixes = new ArrayList<>();
        KeyBound last = KeyBound.NONE;
        boolean isTruncated;

        Found(int most) {
            this.most = most;
        }

        boolean isEmpty() {
            return files.isEmpty() && prefixes.isEmpty();
        }

        private boolean isFull() {
            return files.size() + prefixes.size() == most;
        }
    }

    /** Walks over keys until a page is full. */
    static void walk(DirectorySource source, FilePath bucket, Query query, KeyBound start, Found found)
            throws IOException {
        boolean descends = !query.delimiter().equals("/");
        int page = Math.min(MOST_KEYS, Math.max(LEAST_PAGE, query.most() + 1));
        KeyWalk walk = new KeyWalk(source, bucket, query.prefix(), start, descends, page);
        for (Optional<KeyWalk.Item> item = walk.next(); item.isPresent(); item = walk.next()) {
            if (found.isFull()) {
                found.isTruncated = true;
                return;
            }
            String key = item.get().key();
            int end = item.get().isDirectory() ? key.length() : endOfPrefix(key, query);
            if (end < 0) {
                found.files.add(new UserMount.KeyedFile(key, item.get().status()));
                found.last = new KeyBound(key, false);
            } else {
                found.last = new KeyBound(key.substring(0, end), true);
                found.prefixes.add(found.last.text());
                if (!item.get().isDirectory()) {
                    walk = new KeyWalk(source, bucket, query.prefix(), found.last, true, page);
                }
            }
        }
    }

    private static int endOfPrefix(String key, Query query) {
        int at = query.delimiter().isEmpty()
                ? -1
                : key.indexOf(query.delimiter(), query.prefix().length());
        return at < 0 ? -1 : at + query.delimiter().length();
    }

    /** Returns whether a bucket's directory has any key. */
    static boolean hasKeys(UserMount mount, FilePath bucket) throws IOException {
        KeyWalk walk = new KeyWalk(new MountSource(mount.bdt()), bucket, "", KeyBound.NONE, true, LEAST_PAGE);
        return walk.next().isPresent();
    }

    /** The names of a mount. */
    private record MountSource(Bdt bdt) implements DirectorySource {
        @Override
        public Optional<List<FileStatus>> list(FilePath directory, String after, int limit) throws IOException {
            return bdt.list(directory, after, limit);
        }

        @Override
        public List<FileStatus> find(List<FilePath> wanted) throws IOException {
            return bdt.find(wanted).stream()
                    .flatMap(each -> each.entry().stream())
                    .map(ListedEntry::status)
                    .toList();
        }
    }
}
