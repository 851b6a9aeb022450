// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.FuseMount;
import io.packing.lab.compare.Median;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import io.packing.rig.Workspace;
import io.packing.storeservers.DistantWire;
import io.packing.storeservers.NetworkLink;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * HelloBench with real depth (Slacker §4.2): images of packages with 4 to 12 gzipped layers, each started until its program has printed a
 * result or its server has answered. Both sides begin each image with new machines; then each has a machine that has started the
 * base of the image. The figures of each image are kept at once, so that a run can be stopped and goes on.
 *
 * @param only names of images; all if empty
 * @param directory for packages, layers and the log of starts; it stays
 * @param link between the machines that start containers and their servers
 */
public record HelloSuite(
        Map<String, String> mountOptions, Set<String> only, Path directory, NetworkLink link, Narrator narrator) {
    private static final String WORKSPACE = "packing-suite";
    private static final int RERUNS = 2;

    /** The file of starts in the directory. */
    public static final String LOG = "starts.csv";

    public HelloSuite {
        mountOptions = Map.copyOf(mountOptions);
        only = Set.copyOf(only);
        Set<String> unknown = new TreeSet<>(only);
        unknown.removeAll(images().keySet());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("no image is called %s; there are %s"
                    .formatted(String.join(", ", unknown), String.join(", ", images().keySet())));
        }
    }

    /** Returns all images by name, so mixed that any first part has all kinds. */
    static Map<String, HelloImage> images() {
        Map<String, HelloImage> all = new LinkedHashMap<>();
        List<HelloImage> servers = HelloServers.all();
        List<HelloImage> languages = HelloLanguages.all();
        for (int i = 0; i < Math.max(servers.size(), languages.size()); i++) {
            for (List<HelloImage> each : List.of(servers, languages)) {
                if (i < each.size()) {
                    // Neighbours of a list are of one kind: steps of 7 mix them.
                    HelloImage image = each.get(i * 7 % each.size());
                    all.put(image.name(), image);
                }
            }
        }
        return all;
    }

    /** Runs it; what is missing on the machine is an {@link IllegalArgumentException} that says so. */
    public HelloSuiteResult run() throws IOException, InterruptedException {
        if (!FuseMount.isPossible()) {
            throw new IllegalArgumentException("/dev/fuse cannot be opened: load the fuse module, and run as root");
        }
        PeerRegistry.check();
        HostPrograms.check("unshare", "apt-get install util-linux");
        AptImages.check();
        HelloLog log = new HelloLog(Files.createDirectories(directory).resolve(LOG));
        Map<String, String> failed = new TreeMap<>();
        List<HelloImage> wanted = wanted(log);
        if (!wanted.isEmpty()) {
            try (DistantWire wire = new DistantWire(link);
                    DistantWire ownWire = new DistantWire(link);
                    Workspace theirs = Workspace.create(WORKSPACE);
                    Workspace mine = Workspace.create(WORKSPACE)) {
                S3Process s3 = S3Process.start(theirs, S3Process.Limits.NONE);
                EngineRig rig = EngineRig.start(mine, S3Process.Limits.NONE, 1, mountOptions, ownWire);
                // An interrupted run unmounts, too, before the workspaces delete their directories.
                OverlaySide peer = theirs.own(new OverlaySide(theirs, s3, true, wire));
                CloneSide ours = mine.own(new CloneSide(mine, rig, false, ownWire));
                run(wanted, new Sides(peer, ours), log, failed);
            }
        }
        return HelloSuiteResult.of(ours(log.read()), failed);
    }

    /** Both sides: their registries and stores serve all images, as those of a cluster do. */
    private record Sides(OverlaySide peer, CloneSide ours) {}

    private List<HelloImage> wanted(HelloLog log) throws IOException {
        Set<String> known = new LinkedHashSet<>();
        ours(log.read()).forEach(start -> known.add(start.facts().image()));
        return images().values().stream()
                .filter(each -> (only.isEmpty() || only.contains(each.name())) && !known.contains(each.name()))
                .toList();
    }

    private void run(List<HelloImage> wanted, Sides sides, HelloLog log, Map<String, String> failed)
            throws IOException, InterruptedException {
        AptImages apt = new AptImages(directory);
        boolean peerFirst = false;
        for (HelloImage each : wanted) {
            narrator.accept("building image " + each.name());
            peerFirst = !peerFirst;
            try {
                log.add(measure(each, apt.build(each.recipe()), sides, peerFirst));
            } catch (IOException | IllegalArgumentException e) {
                narrator.accept("image %s failed: %s".formatted(each.name(), e.getMessage()));
                failed.put(each.name(), String.valueOf(e.getMessage()));
            }
        }
    }

    /** Returns the starts over the link of this run. */
    private List<HelloStart> ours(List<HelloStart> all) {
        return all.stream()
                .filter(each -> each.facts().bytesPerSecond() == link.bytesPerSecond()
                        && each.facts().roundTripMillis() == link.roundTrip().toNanos() / 1e6)
                .toList();
    }

    /** Returns two rows: the image on new machines, and on machines that have started its base. */
    private List<HelloStart> measure(HelloImage hello, ImageSet.Image tars, Sides sides, boolean peerFirst)
            throws IOException, InterruptedException {
        List<ImageSet.Blob> all = tars.layers();
        Pushed lower = gzip(hello.name() + "-base", all.subList(0, hello.baseLayers()));
        Pushed upper = gzip(hello.name() + "-upper", all.subList(hello.baseLayers(), all.size()));
        List<ImageSet.Blob> layers = new ArrayList<>(lower.image().layers());
        layers.addAll(upper.image().layers());
        ImageSet.Image image = new ImageSet.Image(tars.name(), tars.config(), layers, true);
        narrator.accept("starting image %s of %d layers".formatted(hello.name(), layers.size()));
        double load = loadOfMachine();
        List<HelloStart.Peer> peer = new ArrayList<>();
        List<HelloStart.Own> own = new ArrayList<>();
        for (boolean isPeer : new boolean[] {peerFirst, !peerFirst}) {
            if (isPeer) {
                peer.addAll(peer(sides.peer(), hello, image, lower, upper));
            } else {
                own.addAll(own(sides.ours(), hello, image, lower.image()));
            }
        }
        List<HelloStart> rows = new ArrayList<>();
        for (boolean isCold : new boolean[] {true, false}) {
            HelloStart.Facts facts = new HelloStart.Facts(
                    hello.name(),
                    hello.category(),
                    layers.size(),
                    hello.baseLayers(),
                    hello.ready().word(),
                    bytes(tars),
                    bytes(image),
                    isCold,
                    link.roundTrip().toNanos() / 1e6,
                    link.bytesPerSecond(),
                    load);
            rows.add(new HelloStart(facts, peer.get(rows.size()), own.get(rows.size())));
        }
        return rows;
    }

    /** Layers as an image of their own, and the seconds to compress them. */
    private record Pushed(ImageSet.Image image, double gzipS) {}

    /** Compresses layers one after the other; one that is compressed already has the seconds that it took. */
    private Pushed gzip(String name, List<ImageSet.Blob> tars) throws IOException, InterruptedException {
        ImageSet.Image image = ImageSet.image(directory, name, tars);
        List<ImageSet.Blob> layers = new ArrayList<>();
        double seconds = 0;
        for (ImageSet.Blob tar : tars) {
            Path compressed = tar.file().resolveSibling(tar.file().getFileName() + ".gz");
            Path note = tar.file().resolveSibling(tar.file().getFileName() + ".seconds");
            String digest = tar.digest() + " ";
            if (Files.exists(note) && Files.readString(note).startsWith(digest)) {
                layers.add(ImageSet.blob(compressed));
            } else {
                long begin = System.nanoTime();
                layers.add(ImageSet.gzip(tar));
                Files.writeString(note, digest + since(begin));
            }
            seconds += Double.parseDouble(Files.readString(note).substring(digest.length()));
        }
        return new Pushed(new ImageSet.Image(name, image.config(), layers, true), seconds);
    }

    private List<HelloStart.Peer> peer(
            OverlaySide side, HelloImage hello, ImageSet.Image image, Pushed lower, Pushed upper)
            throws IOException, InterruptedException {
        side.renew();
        double lowerPush = time(() -> side.push(lower.image()));
        double upperPush = time(() -> side.push(image));
        double pull = time(() -> side.pull(image));
        double run = start(side, hello, image);
        double rerun = rerun(side, hello, image);
        side.removeAbove(image, hello.baseLayers());
        double warmPull = time(() -> side.pull(image));
        double warmRun = start(side, hello, image);
        return List.of(
                new HelloStart.Peer(lower.gzipS() + upper.gzipS(), lowerPush + upperPush, pull, run, rerun),
                new HelloStart.Peer(upper.gzipS(), upperPush, warmPull, warmRun, rerun));
    }

    private List<HelloStart.Own> own(CloneSide side, HelloImage hello, ImageSet.Image image, ImageSet.Image base)
            throws IOException, InterruptedException {
        side.build(image, base);
        double push = time(() -> side.push(image));
        side.settle();
        side.renew();
        long before = side.storeBytesRead();
        double firstPull = time(() -> side.pull(image));
        double firstRun = start(side, hello, image);
        long firstRead = side.storeBytesRead() - before;
        if (!side.awaitStart(image)) {
            narrator.accept("the reads of a start of %s were not kept".formatted(image.name()));
        }
        side.renew();
        long renewed = side.storeBytesRead();
        double pull = time(() -> side.pull(image));
        double run = start(side, hello, image);
        long read = side.storeBytesRead() - renewed;
        double rerun = rerun(side, hello, image);
        side.renew();
        side.pullBase(base);
        double unused = HelloReady.start(side, hello.base(), base, log());
        long based = side.storeBytesRead();
        double warmPull = time(() -> side.pull(image));
        double warmRun = start(side, hello, image);
        long warmRead = side.storeBytesRead() - based;
        return List.of(
                new HelloStart.Own(push, firstPull, firstRun, firstRead, pull, run, rerun, read),
                new HelloStart.Own(push, Double.NaN, Double.NaN, 0, warmPull, warmRun, rerun, warmRead));
    }

    private Path log() {
        return directory.resolve("container.log");
    }

    private double start(HelloSide side, HelloImage hello, ImageSet.Image image)
            throws IOException, InterruptedException {
        return HelloReady.start(side, hello, image, log());
    }

    private double rerun(HelloSide side, HelloImage hello, ImageSet.Image image)
            throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        for (int i = 0; i < RERUNS; i++) {
            seconds.add(start(side, hello, image));
        }
        return Median.of(seconds);
    }

    private static double time(HelloRun.Pause step) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        step.run();
        return since(begin);
    }

    private static double since(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static long bytes(ImageSet.Image image) {
        return image.layers().stream().mapToLong(ImageSet.Blob::size).sum();
    }

    private static double loadOfMachine() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
