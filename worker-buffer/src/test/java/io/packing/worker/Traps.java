// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.bdt.Bdt;
import io.packing.bdt.WorkerSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Traps in directories, sessions and stores: a method throws an error once it is set for its name. */
final class Traps {
    private final Map<String, Error> traps = new ConcurrentHashMap<>();

    /** Makes methods of this name throw from now on. */
    void set(String method, Error error) {
        traps.put(method, error);
    }

    /** Returns a proxy with the traps, as are the results of its methods. */
    <T> T around(Class<T> type, T real) {
        Object proxy =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Error error = traps.get(method.getName());
                    if (error != null) {
                        throw error;
                    }
                    Object answer;
                    try {
                        answer = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                    if (answer instanceof Bdt bdt) {
                        return around(Bdt.class, bdt);
                    } else if (answer instanceof WorkerSession session) {
                        return around(WorkerSession.class, session);
                    }
                    return answer;
                });
        return type.cast(proxy);
    }
}
