// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import io.packing.process.ClassPaths;
import io.packing.process.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One JVM of Hadoop, ZooKeeper or HBase.
 *
 * @param name of the process in messages, of its log and of its folder of configuration
 * @param mainClass with the main method
 * @param heapMegabytes its maximum heap
 * @param settings Hadoop's and HBase's configuration
 * @param classPath entries beside the servers' own
 * @param arguments of the main class
 */
record Child(
        String name,
        String mainClass,
        int heapMegabytes,
        Map<String, String> settings,
        List<Path> classPath,
        List<String> arguments) {
    /** The JDK's packages that Hadoop and HBase reach into. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "jdk.internal.ref",
            "sun.nio.ch");

    /** The option for the size of the young generation. Caches fill the rest of a server's heap. */
    private static final String YOUNG = "-Xmn%dm";

    Child {
        settings = Map.copyOf(settings);
        classPath = List.copyOf(classPath);
        arguments = List.copyOf(arguments);
    }

    /** Creates a process with the servers' own class path. */
    Child(String name, String mainClass, int heapMegabytes, Map<String, String> settings, List<String> arguments) {
        this(name, mainClass, heapMegabytes, settings, List.of(), arguments);
    }

    /** Writes the configuration and returns the command that starts the process. */
    JavaCommand prepare(Setup setup) throws IOException {
        if (!Files.isDirectory(setup.lib())) {
            throw new IOException(
                    "no Hadoop and HBase jars in " + setup.lib() + "; build the module hbase-runtime first");
        }
        Path site = setup.home().resolve("conf").resolve(name);
        Site.write(site, settings);
        List<String> path = new ArrayList<>();
        path.add(site.toString());
        classPath.forEach(entry -> path.add(entry.toString()));
        path.add(setup.lib() + "/*");
        // The binding, the workload and the tools are our classes.
        path.add(ClassPaths.of(Child.class).toString());
        // ZooKeeper's web server would listen on every address, and no client here uses it.
        Map<String, String> properties = Map.of("zookeeper.admin.enableServer", "false");
        return new JavaCommand(name, mainClass, path, heapMegabytes, properties, arguments).withJvmOptions(options());
    }

    private List<String> options() {
        return Stream.concat(
                        Stream.of(YOUNG.formatted(Math.max(16, heapMegabytes / 4))),
                        OPENED.stream().map(opened -> "--add-opens=java.base/" + opened + "=ALL-UNNAMED"))
                .toList();
    }
}
