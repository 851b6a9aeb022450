// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import io.packing.cli.launch.Home;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A checkout of the source, with the jars that its build has made and collected. */
public record Checkout(Home home) {
    /** Returns the checkout that the launcher names. */
    public static Checkout find() {
        return new Checkout(Home.find());
    }

    private Path root() {
        return home.root();
    }

    /** Alluxio's jars. */
    public Path alluxioLib() {
        return root().resolve("lab/alluxio-runtime/target/alluxio-lib");
    }

    /** Hadoop's and HBase's jars. */
    public Path hbaseLib() {
        return root().resolve("lab/hbase-runtime/target/hbase-lib");
    }

    /** Recordings of desktop tasks, with names replaced by hashes. */
    public Path ibench() {
        return root().resolve("conf/ibench");
    }

    /** The jar for Alluxio's {@code extensions/}. */
    public Path extension() throws IOException {
        return jar("packing-ufs", "packing-ufs-*-extension.jar");
    }

    /** The jar for Hadoop's class path. */
    public Path hadoopJar() throws IOException {
        return jar("doors/packing-hadoop", "packing-hadoop-*-all.jar");
    }

    /** The class path of a module of the laboratory: its own jar, and those that it runs with. */
    public List<Path> classPath(String module) throws IOException {
        String folder = "lab/" + module;
        return List.of(jar(folder, module + "-*.jar"), root().resolve(folder).resolve("target/lib/*"));
    }

    private Path jar(String module, String name) throws IOException {
        Path target = root().resolve(module).resolve("target");
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, name)) {
            for (Path jar : jars) {
                return jar.toAbsolutePath();
            }
        }
        throw new IOException("no %s in %s; build the module %s".formatted(name, target, module));
    }
}
