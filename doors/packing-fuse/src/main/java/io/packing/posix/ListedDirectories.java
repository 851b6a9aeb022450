package io.packing.posix;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.packing.bdt.Bdt;
import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What directories have that are only read. A program that starts looks up dozens of names one after the other, most of them in a few
 * directories, and each lookup would wait for a request. The second name that is asked for in a directory fetches all of its entries and
 * where their bytes are, so that the next ones wait for nothing. In the directory that is mounted, names come to be meanwhile: each is
 * asked for. Thread-safe.
 */
final class ListedDirectories {
    private static final Duration MOST = Duration.ofMinutes(1);

    private static final int PAGE = 1_000;
    private static final int MOST_ENTRIES = 200_000;

    private final Bdt bdt;
    private final FilePath root;
    private final Cache<FilePath, Listed> directories;

    /** @param entries by name; empty: one name was asked for so far, or the directory cannot be listed */
    private record Listed(Optional<Map<String, ListedEntry>> entries, boolean canBeListed) {
        static final Listed ASKED = new Listed(Optional.empty(), true);
        static final Listed REFUSED = new Listed(Optional.empty(), false);

        int size() {
            return 1 + entries.map(Map::size).orElse(0);
        }
    }

    /**
     * The directories of a mount.
     *
     * @param root the directory that is mounted
     * @param valid for how long a listing counts, see {@link #share}
     */
    ListedDirectories(Bdt bdt, FilePath root, Duration valid, LongSupplier nanoTime) {
        this.bdt = bdt;
        this.root = root;
        this.directories = CacheBuilder.newBuilder()
                .expireAfterWrite(valid)
                .maximumWeight(MOST_ENTRIES)
                .<FilePath, Listed>weigher((path, listed) -> listed.size())
                .concurrencyLevel(1)
                .ticker(new Ticker() {
                    @Override
                    public long read() {
                        return nanoTime.getAsLong();
                    }
                })
                .build();
    }

    /** For how long a listing counts, of the time after which programs see a change: the kernel believes an answer for the rest. */
    static Duration share(Duration whole) {
        Duration half = whole.dividedBy(2);
        return half.compareTo(MOST) < 0 ? half : MOST;
    }

    Optional<FileStatus> stat(FilePath path) throws IOException {
        Optional<Map<String, ListedEntry>> entries = entries(path);
        return entries.isEmpty()
                ? bdt.stat(path)
                : Optional.ofNullable(entries.get().get(path.name())).map(ListedEntry::status);
    }

    /** Where the bytes of a file are. Those that a worker has go elsewhere soon: that is asked for each time. */
    Optional<LocatedFile> locate(FilePath path) throws IOException {
        Optional<Listed> listed = path.parent().map(directories::getIfPresent);
        Optional<ListedEntry> entry = listed.flatMap(Listed::entries).map(entries -> entries.get(path.name()));
        Optional<Placement> stored = entry.flatMap(ListedEntry::placement).filter(ListedDirectories::isStored);
        return stored.isPresent() ? Optional.of(new LocatedFile(entry.get().status(), stored.get())) : bdt.locate(path);
    }

    private static boolean isStored(Placement placement) {
        return placement instanceof Placement.Packed
                || (placement instanceof Placement.Mapped mapped
                        && mapped.pieces().stream()
                                .allMatch(piece -> isStored(piece.content().placement())));
    }

    private Optional<Map<String, ListedEntry>> entries(FilePath path) throws IOException {
        Optional<FilePath> parent = path.parent();
        if (parent.isEmpty() || parent.get().equals(root) || path.isPast() || path.isRoot()) {
            return Optional.empty();
        }
        Listed known = directories.getIfPresent(parent.get());
        if (known == null) {
            directories.put(parent.get(), Listed.ASKED);
            return Optional.empty();
        }
        if (known.entries().isEmpty() && known.canBeListed()) {
            known = list(parent.get());
            directories.put(parent.get(), known);
        }
        return known.entries();
    }

    private Listed list(FilePath directory) throws IOException {
        Map<String, ListedEntry> entries = new HashMap<>();
        String after = "";
        try {
            while (entries.size() < MOST_ENTRIES) {
                Optional<List<ListedEntry>> page = bdt.listLocated(directory, after, PAGE);
                if (page.isEmpty() || page.get().isEmpty()) {
                    return page.isEmpty() ? Listed.REFUSED : new Listed(Optional.of(Map.copyOf(entries)), true);
                }
                for (ListedEntry each : page.get()) {
                    after = each.status().path().name();
                    entries.put(after, each);
                }
            }
        } catch (DeniedException e) {
            // Somebody may look up what they may not list.
            return Listed.REFUSED;
        }
        return Listed.REFUSED;
    }
}
