package io.packing.bdt;

import java.util.Optional;
import java.util.OptionalInt;

/** A partial change of owner, group and mode. */
public record AttributeChange(Optional<String> owner, Optional<String> group, OptionalInt mode) {}
