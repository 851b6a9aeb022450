// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuse.posix.TreeSource;
import io.packing.layers.start.StartPacks.Kept;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.disk.BlobPage;
import io.packing.worker.read.FilePages;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
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
 * The starts of the containers of a registry. It records the reads of each, keeps them beside the image, and brings the
 * pages to this process before another container reads them. An error costs time only. Thread-safe.
 */
public final class ContainerStarts {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerStarts.class);
    /** For so long, a pack that was brought is believed to be in this machine's memory. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    private static final int MOST_NAMES = 50_000;
    /** The directories where programs of most images look first. */
    private static final List<String> USUAL = List.of("/", "/etc", "/usr", "/usr/bin", "/usr/lib");
    /** So many of a start's directories are guessed to be those of another image's. */
    private static final int GUESSED = 24;

    private final RemotePackingFileSystem mount;
    private final RegistryFiles files;
    private final Layout layout;
    private final TreeSource.Ahead ahead;
    private final StartPacks packs;
    private final LargeFiles largeFiles;
    private final Threads threads;
    private final LongSupplier nanoTime;
    private final Map<String, StartRecording> recordings = new ConcurrentHashMap<>();
    private final Map<FileVersion, Brought> brought = new ConcurrentHashMap<>();
    /** The first directories of the last start: programs begin alike, whatever their image. */
    private volatile List<String> guessed = USUAL;

    /** A pack that is believed to be in this machine's memory, and when it was brought. */
    private record Brought(long since, StartPack pack) {}

    /**
     * The threads of the background work.
     *
     * @param fetching brings pieces, and large files
     * @param listing learns the entries of directories, and whether names are there
     * @param keeping looks for kept packs, and keeps recorded ones
     */
    public record Threads(Executor fetching, Executor listing, Executor keeping) {}

    /** A place in the root of a container, as the container names it. */
    private record Place(String container, String path) {}

    /**
     * Makes the starts of a registry's containers.
     *
     * @param ahead learns the content of the mounted directory
     * @param ids gives unique names
     * @param nanoTime the time of the process's clock
     */
    public ContainerStarts(
            RemotePackingFileSystem mount,
            RegistryFiles files,
            Layout layout,
            TreeSource.Ahead ahead,
            Threads threads,
            Supplier<String> ids,
            LongSupplier nanoTime) {
        this.mount = mount;
        this.files = files;
        this.layout = layout;
        this.ahead = ahead;
        this.packs = new StartPacks(mount, files, layout, ids);
        this.largeFiles = new LargeFiles(mount, threads.fetching());
        this.threads = threads;
        this.nanoTime = nanoTime;
    }

    /** Notes the lookup of a path: a lookup of a container's root precedes its start. Returns at once. */
    public void lookedUp(FilePath path) {
        place(path).ifPresent(at -> recording(at.container()).name(at.path(), nanoTime.getAsLong()));
    }

    /** Notes that a container read bytes of a file. Returns at once. */
    public void read(FilePath path, long offset, int length) {
        if (length > 0) {
            place(path).ifPresent(at -> {
                StartRecording recording = recording(at.container());
                if (recording.add(new StartRecording.Range(at.path(), offset, length), nanoTime.getAsLong())) {
                    largeFiles.bring(path, recording);
                }
            });
        }
    }

    /** Notes that a container lists a directory. Returns at once. */
    public void listed(FilePath directory) {
        place(directory)
                .ifPresent(at -> recording(at.container()).name(StartPack.listed(at.path()), nanoTime.getAsLong()));
    }

    /** Forgets a container whose directory is gone: another one may have its name. Returns at once. */
    public void forget(FilePath container) {
        StartRecording gone = recordings.remove(container.name());
        Optional<StartRecording.Asked> asked = gone == null ? Optional.empty() : gone.end();
        asked.ifPresent(taken -> threads.keeping().execute(() -> keep(container.name(), taken)));
    }

    /** Returns the place of a path; empty: it is neither a container's root, nor below one. */
    private Optional<Place> place(FilePath path) {
        String containers = layout.containers().value() + "/";
        if (!path.value().startsWith(containers)) {
            return Optional.empty();
        }
        String below = path.value().substring(containers.length());
        int slash = below.indexOf('/');
        if (slash < 0 || !(below + "/").startsWith(Layout.ROOT + "/", slash + 1)) {
            return Optional.empty();
        }
        String inRoot = below.substring(slash + 1 + Layout.ROOT.length());
        return Optional.of(new Place(below.substring(0, slash), inRoot.isEmpty() ? FilePath.ROOT.value() : inRoot));
    }

    private StartRecording recording(String name) {
        StartRecording there = recordings.get(name);
        if (there == null) {
            StartRecording made = new StartRecording();
            there = recordings.putIfAbsent(name, made);
            if (there == null) {
                threads.keeping().execute(() -> bring(name, made));
                return made;
            }
        }
        return there;
    }

    private void bring(String name, StartRecording recording) {
        try {
            Optional<StartPlace> place = Optional.empty();
            Optional<Kept> kept = packs.find(layout.container(name).child(Layout.START));
            if (kept.isEmpty()) {
                // Another server may have kept it since the container was made.
                place = placeOf(name);
                kept = place.isEmpty()
                        ? Optional.empty()
                        : packs.find(place.get().directory());
            }
            FilePath root = layout.container(name).child(Layout.ROOT);
            if (kept.isPresent()) {
                bring(root, kept.get());
            } else {
                recording.isUnknown();
                guessed.forEach(each -> learn(root, each));
            }
            // The container may be gone when its start is over.
            (place.isPresent() ? place : placeOf(name)).ifPresent(recording::isOf);
        } catch (IOException | RuntimeException e) {
            LOG.warn("nothing is read ahead for the container {}: {}", name, e.toString());
        }
    }

    private void bring(FilePath root, Kept kept) throws IOException {
        long now = nanoTime.getAsLong();
        brought.values().removeIf(each -> now - each.since() > FRESH.toNanos());
        Brought there = brought.get(kept.version());
        if (there != null) {
            find(root, there.pack());
            return;
        }
        StartPack index = packs.index(kept);
        brought.put(kept.version(), new Brought(now, index));
        guess(index.names());
        find(root, index);
        packs.fetch(kept, index, threads.fetching());
    }

    private void guess(Collection<String> names) {
        guessed = StartPack.searched(names).stream().limit(GUESSED).toList();
    }

    /** Looks up the pack's names in a new container, whose names are all unknown. */
    private void find(FilePath root, StartPack pack) {
        List<FilePath> paths = pack.paths().stream()
                .map(each -> new FilePath(root.value() + each))
                .toList();
        threads.listing().execute(() -> {
            try {
                ahead.find(paths);
            } catch (IOException | RuntimeException e) {
                LOG.warn("the names of a start are not found ahead in {}: {}", root, e.toString());
            }
        });
        pack.directories().forEach(each -> learn(root, each));
    }

    private void learn(FilePath root, String path) {
        FilePath directory = path.equals(FilePath.ROOT.value()) ? root : new FilePath(root.value() + path);
        threads.listing().execute(() -> {
            try {
                ahead.learn(directory);
            } catch (IOException | RuntimeException e) {
                LOG.warn("{} is not learnt ahead: {}", directory, e.toString());
            }
        });
    }

    /** Returns the place of the start pack of a container's image; empty: the registry does not have the image. */
    private Optional<StartPlace> placeOf(String name) throws IOException {
        List<FileStatus> marks =
                files.list(layout.container(name).child(StartPlace.OF), "", 1).orElse(List.of());
        return marks.isEmpty()
                ? Optional.empty()
                : StartPlace.of(layout, marks.get(0).path().name());
    }

    /** Keeps the starts that are over; called now and then. */
    public void step() {
        for (Map.Entry<String, StartRecording> each : recordings.entrySet()) {
            Optional<StartRecording.Asked> taken = each.getValue().take(nanoTime.getAsLong());
            if (taken.isPresent()) {
                threads.keeping().execute(() -> keep(each.getKey(), taken.get()));
            }
        }
        if (recordings.size() > MOST_NAMES) {
            recordings.values().removeIf(StartRecording::isOver);
        }
    }

    private void keep(String name, StartRecording.Asked taken) {
        try {
            guess(taken.names());
            Optional<StartPlace> place = taken.place().isPresent() ? taken.place() : placeOf(name);
            if (place.isEmpty()) {
                return;
            }
            Optional<Kept> kept = packs.find(place.get().directory());
            Optional<StartPack> there = kept.isEmpty() ? Optional.empty() : sound(kept.get());
            // Changes of the container are not the image's.
            Set<BlobPage> pages = pages(place.get().root(), taken.ranges());
            Optional<StartPack> next = StartPack.next(there, new StartPack.Asked(pages, taken.names()));
            if (next.isPresent()) {
                packs.save(place.get(), next.get());
                Optional<Kept> mine = packs.find(place.get().directory());
                if (mine.isPresent()) {
                    // It need not be brought here.
                    brought.put(mine.get().version(), new Brought(nanoTime.getAsLong(), next.get()));
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("the start of {} is not kept: {}", name, e.toString());
        }
    }

    /** Returns the kept pack; a damaged one is replaced. */
    private Optional<StartPack> sound(Kept kept) {
        try {
            return Optional.of(packs.index(kept));
        } catch (IOException e) {
            LOG.warn("a start cannot be read, and is recorded again: {}", e.toString());
            return Optional.empty();
        }
    }

    private Set<BlobPage> pages(FilePath root, List<StartRecording.Range> ranges) throws IOException {
        Map<String, Optional<LocatedFile>> located = new HashMap<>();
        Set<BlobPage> pages = new LinkedHashSet<>();
        for (StartRecording.Range range : ranges) {
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
