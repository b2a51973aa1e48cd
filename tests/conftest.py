"""What holds for all tests."""

from hypothesis import settings

# A property that takes long on a busy machine holds all the same; how long things take is measured in bench/.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
