package io.packing.layers.start;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.layers.start.StartPacks.Kept;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.disk.BlobPage;
import io.packing.worker.read.FilePages;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts of the containers of a registry: records what each reads, keeps it beside the image, and brings it to this process before
 * another container reads it. Whatever goes wrong costs time only. Thread-safe.
 */
public final class Starts {
    private static final Logger LOG = LoggerFactory.getLogger(Starts.class);
    /** A start is over after this time. */
    static final Duration LONGEST = Duration.ofSeconds(20);
    /** A start is over when nothing was read for this time. */
    static final Duration QUIET = Duration.ofSeconds(3);
    /** For so long, a pack that was brought is believed to be in this machine's memory. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    private static final int MOST_RANGES = 20_000;
    private static final int MOST_NAMES = 50_000;

    private final RemotePackingFileSystem mount;
    private final RegistryFiles files;
    private final Layout layout;
    private final StartPacks packs;
    private final Threads threads;
    private final LongSupplier nanoTime;
    private final Map<String, Recording> recordings = new ConcurrentHashMap<>();
    private final Map<FileVersion, Long> brought = new ConcurrentHashMap<>();

    /**
     * What works in the background.
     *
     * @param fetching brings pieces
     * @param keeping looks for what is kept, and keeps what was recorded
     */
    public record Threads(Executor fetching, Executor keeping) {}

    /** A read of the kernel. */
    private record Range(String path, long offset, int length) {}

    /** What a container has read so far. Guarded by itself. */
    private static final class Recording {
        private final Set<Range> ranges = new LinkedHashSet<>();
        private boolean over;
        private long first;
        private long last;

        synchronized void add(Range range, long now) {
            if (over || ranges.size() == MOST_RANGES) {
                return;
            }
            if (ranges.isEmpty()) {
                first = now;
            }
            last = now;
            ranges.add(range);
        }

        /** What was read, once the start is over. */
        synchronized List<Range> take(long now) {
            boolean goesOn = now - first < LONGEST.toNanos() && now - last < QUIET.toNanos();
            if (over || ranges.isEmpty() || goesOn) {
                return List.of();
            }
            over = true;
            List<Range> taken = List.copyOf(ranges);
            ranges.clear();
            return taken;
        }

        synchronized boolean isOver() {
            return over;
        }
    }

    /**
     * Starts of a registry's containers.
     *
     * @param ids gives names that nobody has
     * @param nanoTime the time of the process's clock
     */
    public Starts(
            RemotePackingFileSystem mount,
            RegistryFiles files,
            Layout layout,
            Threads threads,
            Supplier<String> ids,
            LongSupplier nanoTime) {
        this.mount = mount;
        this.files = files;
        this.layout = layout;
        this.packs = new StartPacks(mount, files, layout, ids);
        this.threads = threads;
        this.nanoTime = nanoTime;
    }

    /** The kernel looked up a name: whoever asks for the root of a container is about to start it. Returns at once. */
    public void lookedUp(FilePath path) {
        if (path.name().equals(Layout.ROOT)
                && path.parent().flatMap(FilePath::parent).equals(Optional.of(layout.containers()))) {
            Recording unused = recording(path.parent().orElseThrow().name());
        }
    }

    /** A container read bytes of a file. Returns at once. */
    public void read(FilePath path, long offset, int length) {
        String below = path.value().substring(layout.containers().value().length() + 1);
        int slash = below.indexOf('/');
        if (slash < 0 || length < 1 || !below.startsWith(Layout.ROOT + "/", slash + 1)) {
            return;
        }
        String inRoot = below.substring(slash + Layout.ROOT.length() + 1);
        recording(below.substring(0, slash)).add(new Range(inRoot, offset, length), nanoTime.getAsLong());
    }

    private Recording recording(String name) {
        Recording there = recordings.get(name);
        if (there == null) {
            Recording made = new Recording();
            there = recordings.putIfAbsent(name, made);
            if (there == null) {
                threads.keeping().execute(() -> bring(name));
                return made;
            }
        }
        return there;
    }

    private void bring(String name) {
        try {
            Optional<Kept> kept = packs.find(layout.container(name).child(Layout.START));
            if (kept.isEmpty()) {
                // Somebody may have kept it since the container was made.
                Optional<StartPlace> place = place(name);
                kept = place.isEmpty()
                        ? Optional.empty()
                        : packs.find(place.get().directory());
            }
            if (kept.isPresent() && wasAway(kept.get().version())) {
                packs.fetch(kept.get(), threads.fetching());
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("nothing is read ahead for the container {}: {}", name, e.toString());
        }
    }

    /** Whether a pack was not brought lately; from now on it was. */
    private boolean wasAway(FileVersion version) {
        long now = nanoTime.getAsLong();
        brought.values().removeIf(since -> now - since > FRESH.toNanos());
        return brought.putIfAbsent(version, now) == null;
    }

    /** Where the start of the image of a container is kept, or would be; empty: it is of no image that is in the registry. */
    private Optional<StartPlace> place(String name) throws IOException {
        List<FileStatus> marks =
                files.list(layout.container(name).child(StartPlace.OF), "", 1).orElse(List.of());
        return marks.isEmpty()
                ? Optional.empty()
                : StartPlace.of(layout, marks.get(0).path().name());
    }

    /** Keeps the starts that are over; called now and then. */
    public void step() {
        for (Map.Entry<String, Recording> each : recordings.entrySet()) {
            List<Range> ranges = each.getValue().take(nanoTime.getAsLong());
            if (!ranges.isEmpty()) {
                threads.keeping().execute(() -> keep(each.getKey(), ranges));
            }
        }
        if (recordings.size() > MOST_NAMES) {
            recordings.values().removeIf(Recording::isOver);
        }
    }

    private void keep(String name, List<Range> ranges) {
        try {
            Optional<StartPlace> place = place(name);
            if (place.isEmpty()) {
                return;
            }
            Optional<Kept> kept = packs.find(place.get().directory());
            Optional<StartPack> there = kept.isEmpty() ? Optional.empty() : sound(kept.get());
            Optional<StartPack> next =
                    StartPack.next(there, pages(layout.container(name).child(Layout.ROOT), ranges));
            if (next.isPresent()) {
                packs.save(place.get(), next.get());
                Optional<Kept> mine = packs.find(place.get().directory());
                if (mine.isPresent()) {
                    // It need not be brought here.
                    boolean unused = wasAway(mine.get().version());
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("the start of {} is not kept: {}", name, e.toString());
        }
    }

    /** What is kept; what is damaged is replaced. */
    private Optional<StartPack> sound(Kept kept) {
        try {
            return Optional.of(packs.index(kept));
        } catch (IOException e) {
            LOG.warn("a start cannot be read, and is recorded again: {}", e.toString());
            return Optional.empty();
        }
    }

    private Set<BlobPage> pages(FilePath root, List<Range> ranges) throws IOException {
        Map<String, Optional<LocatedFile>> located = new HashMap<>();
        Set<BlobPage> pages = new LinkedHashSet<>();
        for (Range range : ranges) {
            Optional<LocatedFile> file = located.get(range.path());
            if (file == null) {
                file = mount.bdt().locate(new FilePath(root.value() + range.path()));
                located.put(range.path(), file);
            }
            file.ifPresent(at -> pages.addAll(FilePages.of(at.placement(), range.offset(), range.length())));
        }
        return pages;
    }
}
