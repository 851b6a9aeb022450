package io.packing.fuzz.raw;

import java.io.IOException;
import java.net.Socket;
import java.util.function.Predicate;

/**
 * A port that is attacked.
 *
 * @param name for finds
 * @param connection makes one
 * @param noise what is sent
 * @param wrong whether an answer, as text, is one that must not be
 */
public record Port(String name, Connection connection, Noise noise, Predicate<String> wrong) {
    /** How connections are made. */
    public interface Connection {
        /**
         * Makes one.
         *
         * @throws IOException when the port takes none
         */
        Socket open() throws IOException;
    }
}
