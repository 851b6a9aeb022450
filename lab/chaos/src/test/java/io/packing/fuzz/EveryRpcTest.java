// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test that the fuzz calls every RPC of a master and a worker. */
@Timeout(120)
final class EveryRpcTest {
    private static final String PACKAGE = "io/packing";
    /** Services on sockets of a host, for Kubernetes and containerd: neither a master nor a worker has them. */
    private static final List<String> OF_OTHERS = List.of("io.packing.csi.", "io.packing.layers.");

    @TempDir
    private Path home;

    /** Returns the methods of all services that were generated from the protocols of masters and workers. */
    private static Set<String> generated() throws Exception {
        ClassLoader loader = EveryRpcTest.class.getClassLoader();
        Set<String> methods = new TreeSet<>();
        for (URL root : Collections.list(loader.getResources(PACKAGE))) {
            for (String name : classes(root.toURI())) {
                for (Method method : loader.loadClass(name).getMethods()) {
                    if (method.getName().equals("getServiceDescriptor")) {
                        ServiceDescriptor service = (ServiceDescriptor) method.invoke(null);
                        service.getMethods().stream()
                                .map(MethodDescriptor::getFullMethodName)
                                .forEach(methods::add);
                    }
                }
            }
        }
        return methods;
    }

    private static List<String> classes(URI root) throws IOException {
        if (root.getScheme().equals("jar")) {
            try (FileSystem jar = FileSystems.newFileSystem(root, Map.of())) {
                return classes(jar.provider().getPath(root));
            }
        }
        return classes(Path.of(root));
    }

    private static List<String> classes(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.map(path ->
                            PACKAGE + "/" + root.relativize(path).toString().replace('\\', '/'))
                    .filter(name -> name.endsWith("Grpc.class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> OF_OTHERS.stream().noneMatch(name::startsWith))
                    .toList();
        }
    }

    @Test
    void everyMethodOfEveryServiceIsCalled() throws Exception {
        Set<String> generated = generated();
        // Both protocols must be on the class path.
        assertThat(generated).contains("packing.bdt.v1.Bdt/Register", "packing.worker.v1.Peer/Read");
        try (House house = new House(home)) {
            Set<String> called = house.rpcs().stream()
                    .map(rpc -> rpc.method().getFullMethodName())
                    .collect(Collectors.toSet());
            assertThat(called).containsAll(generated).contains("grpc.health.v1.Health/Check");
        }
    }
}
