// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The use of a store by the code in a jar for another product's process, as in {@link RoleInJar}. */
public final class StoreInJar {
    private static final Map<String, String> OPTIONS_OF_KEYS =
            Map.of("PACKING_S3_ACCESS_KEY", "packing.s3.access.key", "PACKING_S3_SECRET_KEY", "packing.s3.secret.key");

    private StoreInJar() {}

    /** Puts bytes into the bucket of a server, and returns what it reads then. */
    public static ByteBuffer putAndGet(File jar, ServerKind kind, URI endpoint, ByteBuffer bytes) throws Exception {
        Map<String, String> raw = new HashMap<>(
                Map.of("packing.store", kind.location("jar"), "packing.s3.endpoint", endpoint.toString()));
        kind.keys().forEach((variable, key) -> raw.put(OPTIONS_OF_KEYS.getOrDefault(variable, variable), key));
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try (URLClassLoader alone =
                new URLClassLoader(RoleInJar.classPath(jar), ClassLoader.getPlatformClassLoader())) {
            Class<?> options = Class.forName("io.packing.store.StoreOptions", true, alone);
            Class<?> stores = Class.forName("io.packing.store.ObjectStores", true, alone);
            Class<?> store = Class.forName("io.packing.store.ObjectStore", true, alone);
            Class<?> condition = Class.forName("io.packing.store.PutCondition", true, alone);
            Object parsed = options.getMethod("from", Map.class).invoke(null, raw);
            try (AutoCloseable opened =
                    (AutoCloseable) stores.getMethod("open", options).invoke(null, parsed)) {
                Object ifAbsent = condition.getField("IF_ABSENT").get(null);
                Method put = store.getMethod("put", String.class, ByteBuffer.class, condition);
                put.invoke(opened, "key", bytes, ifAbsent);
                Object found = store.getMethod("get", String.class, long.class, int.class)
                        .invoke(opened, "key", 0L, bytes.remaining());
                return found instanceof ByteBuffer read ? read : ByteBuffer.allocate(0);
            }
        } catch (ReflectiveOperationException e) {
            throw new IOException("the store is not used by the code in the jar", e);
        } finally {
            thread.setContextClassLoader(loader);
        }
    }
}
