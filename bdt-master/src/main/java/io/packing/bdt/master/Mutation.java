package io.packing.bdt.master;

import java.io.IOException;

/** A change of a mount's table that takes effect whole or, when it throws, not at all. */
@FunctionalInterface
interface Mutation<T> {
    T apply(Table table) throws IOException;
}
