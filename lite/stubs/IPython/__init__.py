"""As much of IPython as widgets ask for."""
version_info = (9, 0, 0)


def get_ipython() -> None: ...
