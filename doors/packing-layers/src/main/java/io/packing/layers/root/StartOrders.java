package io.packing.layers.root;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
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
 * Records in which order the first container of each image reads its files, and reads ahead by that order for those after it: when a
 * container reads for the first time, what it is likely to read next is fetched into the caches of this process. Thread-safe.
 */
final class StartOrders {
    private static final Logger LOG = LoggerFactory.getLogger(StartOrders.class);
    /** What is read ahead for one container. */
    private static final long MOST_AHEAD = 64L << 20;

    private final RegistryFiles files;
    private final Layout layout;
    private final Executor background;
    private final Supplier<String> ids;
    private final LongSupplier nanoTime;
    private final Duration window;
    private final Map<String, Recording> recordings = new ConcurrentHashMap<>();

    /** What a container has read so far. Guarded by itself. */
    private static final class Recording {
        private final long began;
        private final Set<StartOrder.Range> ranges = new LinkedHashSet<>();
        private boolean over;

        Recording(long began) {
            this.began = began;
        }
    }

    /**
     * Orders of the starts of a registry's containers.
     *
     * @param background runs what takes long
     * @param ids gives names that nobody has
     * @param nanoTime the time of the process's clock
     * @param window for how long after its first read a container is starting
     */
    StartOrders(
            RegistryFiles files,
            Layout layout,
            Executor background,
            Supplier<String> ids,
            LongSupplier nanoTime,
            Duration window) {
        this.files = files;
        this.layout = layout;
        this.background = background;
        this.ids = ids;
        this.nanoTime = nanoTime;
        this.window = window;
    }

    /** A container read bytes of a file. Returns at once. */
    void read(FilePath path, long offset, int length) {
        String below = path.value().substring(layout.containers().value().length() + 1);
        int slash = below.indexOf('/');
        if (slash < 0 || length < 1 || !below.startsWith(Layout.ROOT + "/", slash + 1)) {
            return;
        }
        String name = below.substring(0, slash);
        String inRoot = below.substring(slash + Layout.ROOT.length() + 1);
        Recording recording = recordings.get(name);
        if (recording == null) {
            Recording made = new Recording(nanoTime.getAsLong());
            recording = recordings.putIfAbsent(name, made);
            if (recording == null) {
                recording = made;
                background.execute(() -> begin(name, made));
            }
        }
        synchronized (recording) {
            if (!recording.over
                    && recording.ranges.size() < StartOrder.MOST_RANGES
                    && StartOrder.Range.isPath(inRoot)) {
                recording.ranges.add(new StartOrder.Range(inRoot, offset, length));
            }
        }
    }

    private static void end(Recording recording) {
        synchronized (recording) {
            recording.over = true;
            recording.ranges.clear();
        }
    }

    private void begin(String name, Recording recording) {
        try {
            Optional<FilePath> order = order(name);
            if (order.isEmpty()) {
                end(recording);
            } else if (files.stat(order.get()).isPresent()) {
                end(recording);
                ahead(layout.container(name).child(Layout.ROOT), order.get());
            }
        } catch (IOException | RuntimeException e) {
            // It only costs time.
            LOG.warn("nothing is read ahead for the container {}: {}", name, e.toString());
        }
    }

    /** Where the order of the image of a container is, or would be; empty: it is of no image that is in the registry. */
    private Optional<FilePath> order(String name) throws IOException {
        List<FileStatus> marks =
                files.list(layout.container(name).child(Containers.OF), "", 1).orElse(List.of());
        return marks.isEmpty()
                ? Optional.empty()
                : Containers.manifestOf(layout, marks.get(0).path().name())
                        .map(manifest -> manifest.child(Layout.ORDER));
    }

    private void ahead(FilePath root, FilePath order) throws IOException {
        long left = MOST_AHEAD;
        ByteBuffer into = ByteBuffer.allocate(1 << 20);
        String path = "";
        Optional<PackingInput> input = Optional.empty();
        try {
            for (StartOrder.Range range : StartOrder.decode(FileBytes.all(files.open(order), StartOrder.MOST_BYTES))
                    .ranges()) {
                if (!range.path().equals(path)) {
                    input.ifPresent(PackingInput::close);
                    input = Optional.empty();
                    input = Optional.of(files.open(new FilePath(root.value() + range.path())));
                    path = range.path();
                }
                into.clear().limit(range.length());
                int unused = input.orElseThrow().read(range.offset(), into);
                left -= range.length();
                if (left < 0) {
                    return;
                }
            }
        } finally {
            input.ifPresent(PackingInput::close);
        }
    }

    /** Writes the orders of starts that are over; called now and then. */
    void step() {
        for (Map.Entry<String, Recording> each : recordings.entrySet()) {
            Recording recording = each.getValue();
            List<StartOrder.Range> ranges;
            synchronized (recording) {
                if (recording.over || nanoTime.getAsLong() - recording.began < window.toNanos()) {
                    continue;
                }
                ranges = new ArrayList<>(recording.ranges);
            }
            end(recording);
            try {
                save(each.getKey(), new StartOrder(ranges));
            } catch (IOException e) {
                LOG.warn("the order of the start of {} is not kept: {}", each.getKey(), e.toString());
            }
        }
    }

    private void save(String name, StartOrder order) throws IOException {
        Optional<FilePath> place = order(name);
        if (place.isEmpty()) {
            return;
        }
        FilePath scratch = layout.scratch(ids.get());
        try (PackingOutput out = files.create(scratch)) {
            out.write(order.encode());
        }
        VectorBuilder vector = new VectorBuilder()
                .present(place.get().parent().orElseThrow().child(Layout.CONTENT))
                .absent(place.get())
                .rename(scratch, place.get(), false);
        if (files.apply(vector.build()) instanceof VectorResult.Refused) {
            // Somebody else was faster, or the image is gone.
            VectorResult unused =
                    files.apply(new VectorBuilder().delete(scratch).build());
        }
    }
}
