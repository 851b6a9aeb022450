package io.packing.cli.rig;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The clone or the unpacked distribution that {@code bin/packing} runs from, and what is where in it. */
public record Home(Path root) {
    /** What the launcher names. */
    public static Home find() {
        String root = System.getProperty("packing.home");
        if (root == null) {
            throw new IllegalStateException("packing.home is not set; start the command with bin/packing");
        }
        return new Home(Path.of(root));
    }

    /**
     * The clone, for a command that starts servers of others: the distribution does not have their jars, which are larger than all of it.
     *
     * @param command what somebody typed behind {@code bin/packing}
     * @param servers whose they are
     * @param instead what does the nearest from the distribution, if anything does
     * @throws IllegalArgumentException saying what to do, when this is the distribution
     */
    public static Home ofClone(String command, String servers, Optional<String> instead) {
        Home home = find();
        if (!Files.isRegularFile(home.root.resolve("pom.xml"))) {
            String here = instead.map(words -> ", or here without %s: bin/packing %s".formatted(servers, words))
                    .orElse("");
            throw new IllegalArgumentException(
                    "the distribution has no jars of %s. Run this in a clone of the source: bin/packing %s%s"
                            .formatted(servers, command, here));
        }
        return home;
    }

    /** Alluxio's jars. */
    public Path alluxioLib() {
        return root.resolve("lab/alluxio-runtime/target/alluxio-lib");
    }

    /** Hadoop's and HBase's jars. */
    public Path hbaseLib() {
        return root.resolve("lab/hbase-runtime/target/hbase-lib");
    }

    /** Recordings of desktop tasks, with names replaced by hashes. */
    public Path ibench() {
        return root.resolve("conf/ibench");
    }

    /** What the files of an application are, for the analysis of its traces. */
    public Path traceRules(String application) {
        return root.resolve("conf/trace").resolve(application + ".conf");
    }

    /**
     * A file of {@code conf/prices}.
     *
     * @throws IllegalArgumentException naming the tables that are there, when this one is not
     */
    public Path prices(String name) throws IOException {
        Path tables = root.resolve("conf/prices");
        Path file = tables.resolve(name + ".properties");
        if (!Files.isRegularFile(file)) {
            try (Stream<Path> all = Files.list(tables)) {
                throw new IllegalArgumentException("no price table '%s'; there are %s"
                        .formatted(
                                name,
                                all.map(table -> String.valueOf(table.getFileName())
                                                .replace(".properties", ""))
                                        .sorted()
                                        .collect(Collectors.joining(", "))));
            }
        }
        return file;
    }

    /** The jar for Alluxio's {@code extensions/}. */
    public Path extension() throws IOException {
        return jar("packing-ufs", "packing-ufs-*-extension.jar");
    }

    /** The jar for Hadoop's class path. */
    public Path hadoopJar() throws IOException {
        return jar("doors/packing-hadoop", "packing-hadoop-*-all.jar");
    }

    private Path jar(String module, String name) throws IOException {
        Path target = root.resolve(module).resolve("target");
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, name)) {
            for (Path jar : jars) {
                return jar.toAbsolutePath();
            }
        }
        throw new IOException("no %s in %s; build the module %s".formatted(name, target, module));
    }
}
