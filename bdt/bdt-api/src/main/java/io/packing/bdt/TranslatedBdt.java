// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor of all calls to a mount's table, for a front door with its own exceptions for a denied right ({@link DeniedException})
 * and for a quota ({@link QuotaExceededException}). The denials in the results of {@link BdtLookups#find} are not translated.
 */
public final class TranslatedBdt implements InvocationHandler {
    private final Bdt bdt;
    private final Function<IOException, IOException> known;

    private TranslatedBdt(Bdt bdt, Function<IOException, IOException> known) {
        this.bdt = bdt;
        this.known = known;
    }

    /**
     * Returns a table that throws the exceptions of a door.
     *
     * @param known makes the exceptions of the door
     */
    public static Bdt of(Bdt bdt, Function<IOException, IOException> known) {
        return (Bdt) Proxy.newProxyInstance(
                Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, new TranslatedBdt(bdt, known));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(bdt, arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getTargetException();
            throw cause instanceof DeniedException || cause instanceof QuotaExceededException
                    ? known.apply((IOException) cause)
                    : cause;
        }
    }
}
