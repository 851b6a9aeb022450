// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import io.packing.storeservers.AwsServices.Service;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The opening of a store by the code in a jar for another product's process, as a pod with a role opens it. The jar is alone in its
 * class loader but for the logging of the host, and the thread's own loader does not see it, as in Alluxio.
 */
public final class RoleInJar {
    private RoleInJar() {}

    /**
     * Opens and closes a store.
     *
     * @param directory of the pod's token
     * @return the access keys that signed the requests to the store
     */
    public static List<String> keys(File jar, Path directory) throws IOException, ReflectiveOperationException {
        Path token = Files.writeString(directory.resolve("token"), "token-of-the-pod");
        Map<String, @Nullable String> before = new HashMap<>();
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        try (AwsServices services = AwsServices.start(Clock.systemUTC());
                URLClassLoader alone = new URLClassLoader(classPath(jar), ClassLoader.getPlatformClassLoader())) {
            Map<String, String> properties = new HashMap<>(services.properties());
            properties.put("aws.roleArn", "arn:aws:iam::123456789012:role/packing");
            properties.put("aws.webIdentityTokenFile", token.toString());
            properties.forEach((key, value) -> before.put(key, System.setProperty(key, value)));
            thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
            open(
                    alone,
                    Map.of(
                            "packing.store",
                            "s3://bucket/p",
                            "packing.s3.endpoint",
                            services.endpoint().toString()));
            return services.calls(Service.STORE).stream()
                    .map(AwsServices.Call::key)
                    .toList();
        } finally {
            thread.setContextClassLoader(loader);
            before.forEach((key, value) -> {
                if (value == null) {
                    System.clearProperty(key);
                } else {
                    System.setProperty(key, value);
                }
            });
        }
    }

    static URL[] classPath(File jar) throws MalformedURLException {
        List<URL> all = new ArrayList<>(List.of(jar.toURI().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (new File(entry).getName().startsWith("slf4j-api-")) {
                all.add(new File(entry).toURI().toURL());
            }
        }
        return all.toArray(URL[]::new);
    }

    private static void open(ClassLoader alone, Map<String, String> raw)
            throws IOException, ReflectiveOperationException {
        Class<?> options = Class.forName("io.packing.store.StoreOptions", true, alone);
        Class<?> stores = Class.forName("io.packing.store.ObjectStores", true, alone);
        try {
            Object parsed = options.getMethod("from", Map.class).invoke(null, raw);
            ((AutoCloseable) stores.getMethod("open", options).invoke(null, parsed)).close();
        } catch (InvocationTargetException e) {
            throw new IOException("the store is not opened by the code in the jar", e.getCause());
        } catch (Exception e) {
            throw new IOException("the store is not closed by the code in the jar", e);
        }
    }
}
